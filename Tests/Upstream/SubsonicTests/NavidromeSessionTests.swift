import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Subsonic

@Suite("Navidrome's own API")
struct NavidromeSessionTests {
    /// Collects events until the stream ends.
    private final class Heard: Sendable {
        private let events = Mutex<[NavidromeEvent]>([])
        var all: [NavidromeEvent] { events.withLock { $0 } }
        func add(_ event: NavidromeEvent) { events.withLock { $0.append(event) } }
    }

    @Test("a password opens a session, and events come as Navidrome was recorded to send them")
    func events() async throws {
        try await withServer { server, client in
            let session = NavidromeSession(client)
            #expect(session.canSignIn)
            let heard = Heard()
            let following = Task { try await session.follow { heard.add($0) } }
            // The head of the answer comes before the server counts the listener.
            try await eventually("the stream") { heard.all == [.opened] && server.listenerCount == 1 }
            server.announce("keepAlive", #"{"ts":1795224075}"#)
            server.announce("nowPlayingCount", #"{"count":1}"#)
            server.announce("scanStatus", #"{"scanning":true,"count":8,"folderCount":1,"error":"","scanType":"quick"}"#)
            server.announce("refreshResource", #"{"song":["ba2"]}"#)
            server.announce("refreshResource", #"{"album":["al"],"artist":["ar"],"song":["so","s2"]}"#)
            server.announce("refreshResource", #"{"playlist":["p"]}"#)
            server.announce("refreshResource", #"{"*":"*"}"#)
            server.announce("refreshResource", "no JSON")
            server.announce("scanStatus", #"{"scanning":false}"#)
            var one = NavidromeEvent.Resources()
            one.songs = ["ba2"]
            var three = NavidromeEvent.Resources()
            (three.albums, three.artists, three.songs) = (["al"], ["ar"], ["so", "s2"])
            try await eventually("all events") { heard.all.count == 6 }
            #expect(
                heard.all == [
                    .opened, .scanning(true), .changed(one), .changed(three), .everythingChanged, .scanning(false),
                ])
            following.cancel()
            _ = await following.result
            try await eventually("the end") { server.listenerCount == 0 }
        }
    }

    @Test("every answer's fresh token is kept, and serves without the password")
    func renewal() async throws {
        try await withServer { server, client in
            let kept = Mutex<[String]>([])
            let session = NavidromeSession(client, renewed: { token in kept.withLock { $0.append(token) } })
            _ = try await session.open("/api/song?_start=0&_end=1", accept: "application/json")
            let tokens = kept.withLock { $0 }
            #expect(tokens.count == 2 && Set(tokens).count == 2)
            #expect(server.requests.map(\.path) == ["/auth/login", "/api/song"])

            var withoutPassword = settings(server)
            withoutPassword.credential = SubsonicSettings.makeToken(password: "secret")
            try await withClient(withoutPassword) { other in
                #expect(!NavidromeSession(other).canSignIn)
                let session = NavidromeSession(other, token: tokens[1])
                _ = try await session.open("/api/song", accept: "application/json")
                server.endSessions()
                await #expect(throws: SubsonicError.self) {
                    try await session.open("/api/song", accept: "application/json")
                }
                #expect(!session.canSignIn, "a token that was refused is forgotten")
            }
            // With a password an old token is replaced.
            await #expect(throws: SubsonicError.self, "too soon after the last sign-in") {
                try await session.open("/api/song", accept: "application/json")
            }
            #expect(session.canSignIn)
        }
    }

    @Test("a wrong password, another server and a broken one are told apart")
    func failures() async throws {
        let server = try await FakeNavidrome.start(songs: 3)
        func code(_ settings: SubsonicSettings) async throws -> SubsonicError.Code? {
            var code: SubsonicError.Code?
            try await withClient(settings) { client in
                do {
                    try await NavidromeSession(client).follow { _ in }
                } catch let error as SubsonicError {
                    code = error.code
                    #expect(!error.message.contains("secret") && !error.message.contains("wrong"))
                }
            }
            return code
        }
        #expect(try await code(settings(server, password: "wrong \"quoted\"")) == .unauthorized)
        try await server.setFaults(FakeFault(.html))
        #expect(try await code(settings(server)) == .unsupported)
        try await server.setFaults(FakeFault(.rateLimited(retryAfter: 20)))
        #expect(try await code(settings(server)) == .rateLimited)
        try await server.setFaults(FakeFault(.refuse))
        #expect(try await code(settings(server)) == .unreachable)
        await server.stop()
        var options = FakeOptions()
        options.kind = .supysonic
        let other = try await FakeNavidrome.start(songs: 3, options: options)
        #expect(try await code(settings(other)) == .unsupported)
        await other.stop()
    }

    @Test("events arrive whole however they are cut, and with either line ending")
    func cutting() throws {
        let text =
            "id: 1\r\nevent: refreshResource\r\ndata: {\"*\":\r\ndata: \"*\"}\r\n\r\n: comment\n\n"
            + "event:scanStatus\ndata:{\"scanning\":true}\n\n"
        for size in 1...text.utf8.count {
            var reader = EventStreamReader()
            var events: [NavidromeEvent] = []
            for start in stride(from: 0, to: text.utf8.count, by: size) {
                let piece = ByteBuffer(bytes: Array(text.utf8)[start..<min(start + size, text.utf8.count)])
                events += try reader.add(piece.readableBytesView)
            }
            #expect(events == [.everythingChanged, .scanning(true)])
        }
        var reader = EventStreamReader()
        #expect(throws: SubsonicError.self) {
            for _ in 0..<6 { _ = try reader.add(ByteBuffer(repeating: 0x61, count: 1 << 20).readableBytesView) }
        }
    }
}
