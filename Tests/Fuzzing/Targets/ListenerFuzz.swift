import Coordination
import Logging
import NIOCore
import NIOEmbedded
import Outputs

@testable import AudioOutputs

/// Hands a listener's request to an HTTP stream, then streams to it.
///
/// - Shape: the lowest seven bits of the first byte say how many bytes arrive at a time, 0 that all do; the highest
///   that the client goes away then. The rest is what the client sends.
enum ListenerFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        var settings = HTTPStreamServer.Settings(name: "Fuzz", contentType: "audio/ogg")
        settings.output.allowedOrigin = "*"
        let audience = Audience(settings, count: Monitor(0), log: Logger(label: "stream"))
        audience.open()
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try audience.addHandlers(to: channel)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).wait()
        var input = ByteBuffer(bytes: bytes.dropFirst())
        let length = first & 127 == 0 ? input.readableBytes : Int(first & 127)
        while let piece = input.readSlice(length: min(length, input.readableBytes)), piece.readableBytes > 0 {
            guard channel.isActive else { break }
            _ = try? channel.writeInbound(piece)
        }
        audience.setTitle("A'\u{301}; B")
        audience.send([1, 2, 3], isHeader: true)
        if first & 128 != 0 { _ = try? channel.close().wait() }
        for _ in 0..<3 { audience.send([UInt8](repeating: 7, count: 5000), isHeader: false) }
        audience.hangUp()
        channel.embeddedEventLoop.run()
        try check(channel)
    }

    /// One answer in HTTP, or none.
    private static func check(_ channel: EmbeddedChannel) throws {
        var answer: [UInt8] = []
        while let piece = try? channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = piece { answer += bytes.readableBytesView }
        }
        guard answer.isEmpty || answer.starts(with: Array("HTTP/1.".utf8)) else {
            throw FuzzFinding("an answer that begins with \(answer.prefix(20))")
        }
        guard answer.count < 40_000 else { throw FuzzFinding("an answer of \(answer.count) bytes") }
        let head = String(decoding: answer.prefix { $0 != 0 && $0 < 128 }, as: UTF8.self)
        let answers = head.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.") }.count
        guard answers <= 1 else { throw FuzzFinding("\(answers) answers") }
    }
}
