import InProcessServer
import NIOCore
import ServerLoop

extension InProcessClient {
    /// What a server must not answer here.
    struct Refused: Error {
        let request: String
        let answer: String
    }

    /// Sends a request and waits for the end of its answer.
    ///
    /// - Throws: `Refused` for an ACK.
    func ask(_ request: String) async throws {
        var end = [UInt8]()
        let answer: String = await withCheckedContinuation { continuation in
            onOutput = { bytes in
                end = Array((end + bytes.readableBytesView.suffix(200)).suffix(200))
                let text = String(decoding: end, as: UTF8.self)
                guard text == "OK\n" || text.hasSuffix("\nOK\n") || text.hasPrefix("ACK ") else { return }
                self.onOutput = { _ in }
                continuation.resume(returning: text)
            }
            send(ByteBuffer(string: request + "\n"))
        }
        if answer.hasPrefix("ACK ") { throw Refused(request: request, answer: answer) }
    }
}
