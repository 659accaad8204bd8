import Coordination
import Foundation
import Glibc
import SoundSamples
import Synchronization
import Testing

/// A web server of fixed answers that counts who comes.
final class WebServer: Sendable {
    /// What is answered at a path.
    struct Answer: Sendable {
        var status = "200 OK"
        var headers: [String] = []
        var body: [UInt8] = []
        /// How many bytes of the body's end come only with `sendRest`.
        var late = 0
        var end = End.length

        /// How a listener learns that the body is over.
        enum End: Sendable {
            /// By its length.
            case length
            /// By a last chunk, or not at all where the only one breaks off.
            case chunks(isTorn: Bool)
            /// By the connection's end.
            case connection
        }

        /// Head and body as they are sent.
        fileprivate var bytes: [UInt8] {
            let length: [String]
            var body = body
            switch end {
            case .length: length = ["Content-Length: \(body.count)"]
            case .connection: length = []
            case .chunks(let isTorn):
                length = ["Transfer-Encoding: chunked"]
                let size = String(body.count + (isTorn ? 1 : 0), radix: 16)
                body = Array("\(size)\r\n".utf8) + body + (isTorn ? [] : Array("\r\n0\r\n\r\n".utf8))
            }
            let head = ["HTTP/1.1 \(status)", "Connection: close"] + length + headers + ["", ""]
            return Array(head.joined(separator: "\r\n").utf8) + body
        }

        /// A body of text of a type.
        static func text(_ text: String, type: String) -> Answer {
            Answer(headers: ["Content-Type: \(type)"], body: Array(text.utf8))
        }

        /// A redirection.
        static func redirect(to address: String) -> Answer {
            Answer(status: "302 Found", headers: ["Location: \(address)"])
        }
    }

    private let listener: LocalListener
    private let answers: Mutex<[String: Answer]> = Mutex([:])
    private let isRestDue = Monitor(false)
    private let asked: Mutex<[String]> = Mutex([])

    var port: UInt16 { listener.port }

    /// The paths that were asked for; a connection without a question is an empty one.
    var requests: [String] { asked.withLock { $0 } }

    init() throws {
        listener = try LocalListener()
        listener.accept { [weak self] client in self?.serve(client) }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    func answer(_ path: String, _ answer: Answer) { answers.withLock { $0[path] = answer } }

    private func serve(_ client: Int32) {
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var request = [UInt8](repeating: 0, count: 8192)
        let count = recv(client, &request, request.count, 0)
        let words = String(decoding: request[..<max(0, count)], as: UTF8.self).split(separator: " ")
        let path = words.count > 1 ? String(words[1]) : ""
        asked.withLock { $0.append(path) }
        let answer = answers.withLock { $0[path] } ?? Answer(status: "404 Not Found")
        let bytes = answer.bytes
        guard answer.late > 0 else { return send(client, bytes[...]) }
        send(client, bytes.dropLast(answer.late))
        _ = isRestDue.wait(milliseconds: 60_000) { $0 ? true : nil }
        send(client, bytes.suffix(answer.late))
    }

    /// Sends the ends of bodies that come late.
    func sendRest() { isRestDue.update { $0 = true } }

    private func send(_ client: Int32, _ bytes: ArraySlice<UInt8>) {
        var done = 0
        while done < bytes.count {
            let sent = bytes.withUnsafeBytes {
                Glibc.send(client, $0.baseAddress?.advanced(by: done), $0.count - done, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            done += sent
        }
    }
}

/// A named pipe that notices when it is opened.
final class Tripwire: Sendable {
    let path: String
    private let isTouched = Mutex(false)
    private let isOver = Mutex(false)

    init(_ path: String) {
        self.path = path
        mkfifo(path, 0o600)
        _ = BlockingThread.start("tripwire") { [weak self] in
            while let self, !self.isOver.withLock({ $0 }) {
                // It can be opened for writing only while it has a reader.
                let descriptor = open(path, O_WRONLY | O_NONBLOCK)
                if descriptor >= 0 {
                    self.isTouched.withLock { $0 = true }
                    close(descriptor)
                    return
                }
                usleep(2000)
            }
        }
    }

    /// Whether it has been opened.
    var wasOpened: Bool { isTouched.withLock { $0 } }

    func end() { isOver.withLock { $0 = true } }
}
