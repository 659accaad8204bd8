import Foundation
import Logging
import NIOCore
import NIOEmbedded
import WebServer

/// Hands what a browser may send to the server of the HTTP interface, which reads it as every resource would.
///
/// - Shape: the lowest seven bits of the first byte say how many bytes arrive at a time, 0 that all do; the highest
///   that the client goes away then. The rest is what the client sends, or, where it begins with a bracket or a brace,
///   the body of a request: one with another length than the head says is never read.
enum RequestFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let server = HTTPServer(
            WebSettings(), answers: ReadingEverything(), log: Logger(label: "web"), on: channel.embeddedEventLoop)
        try server.accept(channel)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).wait()
        var input = ByteBuffer(bytes: request(bytes.dropFirst()))
        let length = first & 127 == 0 ? input.readableBytes : Int(first & 127)
        while let piece = input.readSlice(length: min(length, input.readableBytes)), piece.readableBytes > 0 {
            guard channel.isActive else { break }
            _ = try? channel.writeInbound(piece)
            channel.embeddedEventLoop.run()
        }
        if first & 128 != 0 { _ = try? channel.close().wait() }
        channel.embeddedEventLoop.advanceTime(by: .seconds(120))
        try check(channel)
    }

    private static func request(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard let first = bytes.first, "[{".utf8.contains(first) else { return Array(bytes) }
        let head = "POST /api/mpd HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
        return Array("\(head)\(bytes.count)\r\n\r\n".utf8) + bytes
    }

    /// Answers in HTTP, or none; a client that says no more is disconnected in the end.
    private static func check(_ channel: EmbeddedChannel) throws {
        var answer: [UInt8] = []
        while let piece = try? channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = piece { answer += bytes.readableBytesView }
        }
        guard answer.isEmpty || answer.starts(with: Array("HTTP/1.".utf8)) else {
            throw FuzzFinding("an answer that begins with \(answer.prefix(20))")
        }
        guard !channel.isActive else { throw FuzzFinding("a connection that never ends") }
    }

    /// Reads a request as all routes would, and answers with what was found.
    private struct ReadingEverything: RequestAnswering {
        @concurrent func answer(to request: HTTPRequest) async -> HTTPResponse {
            RequestReading.readEverything(request)
        }

        func answer(to refusal: RequestRefusal) -> HTTPResponse { RequestReading.answer(to: refusal) }

        func answerAtOnce(to request: HTTPRequest) -> HTTPResponse? { RequestReading.readEverything(request) }
    }
}
