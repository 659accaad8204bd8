@testable import Diagnosis
import Foundation
import NIOCore
import NIOPosix
import MPDSessions
import Testing

@Suite("Asking a running server")
struct RunningServerTests {
    /// A server that sends its greeting at once, and an answer to whatever comes.
    private final class Talker: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let greeting: String
        private let answer: String

        init(_ greeting: String, _ answer: String) { (self.greeting, self.answer) = (greeting, answer) }

        func channelActive(context: ChannelHandlerContext) { say(greeting, context) }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { say(answer, context) }

        private func say(_ text: String, _ context: ChannelHandlerContext) {
            if text.isEmpty { return context.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }
    }

    /// The finding about such a server.
    private func finding(greeting: String, answer: String = "OK\n") async throws -> Finding {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { $0.pipeline.addHandler(Talker(greeting, answer)) }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let finding = await RunningServer.finding(at: .tcp(host: "0.0.0.0", port: port))
        try await server.close()
        return finding
    }

    @Test("a server that greets and answers a ping serves, and is named as it greets")
    func serves() async throws {
        let finding = try await finding(greeting: "OK MPD 0.24.0\n")
        #expect(finding.level == .ok && finding.text.contains("answers as MPD 0.24.0 after "))
    }

    @Test(
        "any other server is a failure that says what it does",
        arguments: [
            ("SSH-2.0-OpenSSH\r\n", "OK\n", "no MPD server"),
            (String(repeating: "x", count: 10_000), "OK\n", "no MPD server"),
            ("OK MPD 0.24.0\n", "ACK [4@0] {ping} you don't have permission\n", "it answers a ping with "),
            ("", "OK\n", "it closed the connection"),
        ])
    func others(greeting: String, answer: String, reason: String) async throws {
        let finding = try await finding(greeting: greeting, answer: answer)
        #expect(finding.level == .failure && finding.text.contains(reason))
    }

    @Test("a server that is not there is a failure with the system's reason")
    func missing() async {
        for address in [
            ListenerAddress.unix(path: "/nowhere/at/all"), .unix(path: "@nothing-listens-here"),
            .tcp(host: "127.0.0.1", port: 1),
        ] {
            let finding = await RunningServer.finding(at: address)
            #expect(finding.level == .failure && finding.text.contains("\(address) doesn't serve: "))
        }
    }

    @Test("a server that keeps silent is a failure once the time is over")
    func silent() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let finding = await RunningServer.finding(at: .tcp(host: "127.0.0.1", port: port), within: .milliseconds(1))
        #expect(finding.text.hasSuffix("it does not answer in time"))
        try await server.close()
    }
}

@Suite("The status of a running server in lines")
struct ShownStatusTests {
    @Test("names the song, the queue, the library and what waits, without control characters")
    func playing() throws {
        let json = """
            {"player": {"state": "play", "elapsed": 61.5, "duration": 200},
             "song": {"title": "Air\\u001b[2J", "artist": "Bach", "album": "Suites"},
             "queue": {"length": 9, "position": 2}, "volume": 40,
             "outputs": [{"name": "Desk", "enabled": true}, {"name": "Kitchen", "enabled": true, "problem": "away"}],
             "connection": {"state": "connected", "sentence": ""}, "waiting": {"plays": 1, "edits": 2},
             "library": {"songs": 12, "albums": 3}}
            """
        let text = try #require(ShownStatus(Data(json.utf8))).text
        #expect(
            text == """
                Playing Bach: Air [2J
                  from Suites
                  1:01 of 3:20
                Queue: 9 songs, at 3; volume 40 %
                Library: 12 songs, 3 albums
                Server: connected
                Waiting for it: 1 plays, 2 edits
                Output Desk: on
                Output Kitchen: away
                """)
        #expect(ShownStatus(Data("{}".utf8)) == nil)
    }
}
