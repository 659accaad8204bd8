import MusicModel
import NIOCore
import TestSupport
import Testing

@testable import Subsonic

/// Whatever bytes a server sends for an answer, a call ends with a short sentence, and takes no more of them than it
/// says.
@Suite("Hostile HTTP of the server", .serialized, .timeLimit(.minutes(10)))
struct HostileHTTPTests {
    /// What the system takes for a client that has stopped reading: the buffers of both ends.
    private static let buffers = 16 << 20

    /// The calls that differ in how they read: an answer, a picture and a song's bytes.
    private static let calls: [(name: String, limit: Int, run: @Sendable (SubsonicClient) async throws -> Void)] = [
        ("ping", HTTPTransport.maxAnswerSize, { _ = try await $0.ping() }),
        ("search3", HTTPTransport.maxAnswerSize, { _ = try await $0.songs(offset: 0, count: 50) }),
        ("getCoverArt", HTTPTransport.maxPictureSize, { _ = try await $0.coverArt(id: "x", size: 60) }),
        ("stream", 1 << 20, { for try await _ in try await $0.stream(id: "x").body {} }),
        ("scrobble", HTTPTransport.maxAnswerSize, { try await $0.scrobble([SubsonicPlay(id: "x", time: 1)]) }),
        (
            "savePlayQueue", HTTPTransport.maxAnswerSize,
            { try await $0.savePlayQueue(SubsonicPlayQueue(songIDs: ["x"]), byIndex: false) }
        ),
    ]

    private func withServer(_ body: (RawServer) async throws -> Void) async throws {
        let server = try await RawServer.start()
        try await body(server)
        await server.stop()
    }

    /// Makes every call with a client of its own, and gives what they end with.
    private func ends(
        _ server: RawServer, _ answer: RawServer.Answer, patience: Duration = .seconds(600)
    ) async throws -> [(call: String, limit: Int, error: SubsonicError, sent: Int, requests: Int)] {
        var ends: [(call: String, limit: Int, error: SubsonicError, sent: Int, requests: Int)] = []
        for (call, limit, run) in Self.calls {
            server.answer(answer)
            let settings = SubsonicSettings(
                url: server.url, username: "admin", credential: .password("secret"),
                timeouts: .init(connect: .seconds(600), answer: patience, idle: patience), retries: .init(count: 0))
            try await withClient(settings) { client in
                do {
                    try await run(client)
                    Issue.record("\(call) is content")
                } catch {
                    if let complaint = HostileAnswersTests.complaint(about: error) {
                        Issue.record("\(call): \(complaint)")
                    }
                    guard let error = error as? SubsonicError else { return }
                    ends.append((call, limit, error, server.sent, server.requests.count))
                }
            }
        }
        return ends
    }

    @Test(
        "an answer that is none ends each call with its own sentence, and is not asked for without an end",
        arguments: HTTPAttack.finite)
    func finite(attack: HTTPAttack) async throws {
        try await withServer { server in
            for end in try await ends(server, attack.answer) {
                #expect(end.requests <= 2, "\(end.call)")
                let codes: [SubsonicError.Code] = [.badAnswer, .unreachable, .server(status: 999), .unsupported]
                #expect(codes.contains(end.error.code), "\(end)")
            }
        }
    }

    @Test("an answer without an end is given up by its size", arguments: HTTPAttack.endless)
    func endless(attack: HTTPAttack) async throws {
        try await withServer { server in
            for end in try await ends(server, attack.answer) {
                #expect(end.error.code == .badAnswer || end.error.code == .unreachable, "\(end)")
                #expect(end.sent <= end.requests * end.limit + Self.buffers, "\(end)")
            }
            try await eventually("the last connection's end") { server.connectionCount == 0 }
        }
    }

    @Test(
        "a server that says nothing of use is given up when the time for an answer is over", arguments: HTTPAttack.slow)
    func slow(attack: HTTPAttack) async throws {
        try await withServer { server in
            for end in try await ends(server, attack.answer, patience: .milliseconds(100)) {
                #expect(end.error.code == .timedOut, "\(end)")
            }
            try await eventually("the last connection's end") { server.connectionCount == 0 }
        }
    }

    @Test("a call that waits for a body that drips ends with its task")
    func cancelled() async throws {
        try await withServer { server in
            server.answer(.raw(["Content-Length: 100000"], body: "{", then: .drips([0x20])))
            let settings = SubsonicSettings(
                url: server.url, username: "admin", credential: .password("secret"), timeouts: longTimeouts)
            try await withClient(settings) { client in
                let call = Task { try await client.ping() }
                try await eventually("the answer's beginning") { server.sent > 50 }
                call.cancel()
                await #expect(throws: CancellationError.self) { try await call.value }
            }
        }
    }

    @Test(
        "no answer has a client wait for longer than an hour, or before it asks again for longer than it wants to",
        arguments: ["9223372036854775807", "99999999999999999999999", "-5", "x", ""])
    func retryAfter(text: String) async throws {
        try await withServer { server in
            for status in ["429 Too Many Requests", "503 No"] {
                let answer = RawServer.Answer.page([], ["Retry-After: \(text)"], status: status)
                for end in try await ends(server, answer) {
                    #expect(end.error.retryAfter ?? .zero <= .seconds(3600), "\(end)")
                    // With a number 503 asks for patience, too.
                    let asks = status.hasPrefix("429") || end.error.retryAfter != nil
                    #expect(end.error.code == (asks ? .rateLimited : .server(status: 503)), "\(end)")
                }
                var settings = SubsonicSettings(
                    url: server.url, username: "admin", credential: .password("secret"), timeouts: longTimeouts)
                settings.retries = .init(count: 2, firstDelay: .milliseconds(1), maxDelay: .milliseconds(2))
                server.answer(answer)
                try await withClient(settings) { client in
                    let error = await failure { _ = try await client.ping() }
                    #expect(server.requests.count == (error?.code == .rateLimited ? 7 : 3))
                }
            }
        }
    }

    @Test("a redirection is not followed, and no other server is sent a credential")
    func redirections() async throws {
        let elsewhere = try await RawServer.start()
        try await withServer { server in
            for attack in HTTPAttack.redirections(to: elsewhere.url) {
                for end in try await ends(server, attack.answer) {
                    // Files may lie elsewhere on the server itself.
                    #expect(end.error.code == .redirected && [1, 4].contains(end.requests), "\(attack): \(end)")
                }
            }
        }
        #expect(elsewhere.requests.isEmpty)
        await elsewhere.stop()
    }

    @Test("events that are none end the stream, and one without an end is given up by its size")
    func events() async throws {
        try await withServer { server in
            let login = RawServer.Answer.page(Array(#"{"token":"t"}"#.utf8))
            let garbage = Array("data: \(String(repeating: "x", count: 60_000))".utf8)
            let line = "event: refreshResource\ndata: {\"song\":[\"\\ud800\",[],7]}\n\n\0\u{1b}\n:\n"
            let lines = Array(String(repeating: line, count: 200).utf8)
            for piece in [garbage, lines] {
                server.answer { request in
                    if request.path == "/auth/login" { return login }
                    var answer = RawServer.Answer.raw([], then: .repeats(piece))
                    answer.bytes = Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8)
                    return answer
                }
                let settings = SubsonicSettings(
                    url: server.url, username: "admin", credential: .password("secret"), timeouts: longTimeouts)
                try await withClient(settings) { client in
                    let following = Task { try await NavidromeSession(client).follow { _ in } }
                    if piece == garbage {
                        let error = await failure { try await following.value }
                        #expect(error?.code == .badAnswer && server.sent < 4 << 20 + Self.buffers)
                    } else {
                        try await eventually("a megabyte of events") { server.sent > 1 << 20 }
                        following.cancel()
                        _ = await following.result
                    }
                }
            }
        }
    }
}
