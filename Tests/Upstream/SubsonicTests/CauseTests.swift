import NIOCore
import TestSupport
import Testing

@testable import Subsonic

/// Proxies, portals and limits between us and the music server.
@Suite("What stands between us and the server")
struct CauseTests {
    /// An answer of a proxy, and what is said of it.
    struct Row: Sendable, CustomTestStringConvertible {
        var status: String
        var lines: [String] = []
        var code: SubsonicError.Code
        var text: String
        var testDescription: String { "\(status) \(lines)" }
    }

    static let rows = [
        Row(
            status: "401 Unauthorized", lines: ["WWW-Authenticate: Basic realm=\"x\""], code: .unauthorized,
            text: "not the music server, asks for a login (HTTP 401); set the headers it requires under [navidrome]"),
        Row(status: "403 Forbidden", code: .notPermitted, text: "not the music server, forbids the call (HTTP 403)"),
        Row(
            status: "302 Found", lines: ["Location: https://team.example.com/access/login?token=hidden"],
            code: .redirected, text: "redirects to https://team.example.com/access/login, which may be a login page"),
        Row(
            status: "302 Found", lines: ["Location: /login?next=hidden"], code: .redirected,
            text: "redirects to another page, which may be a login page"),
        Row(
            status: "301 Moved Permanently", lines: ["Location: https://127.0.0.1/music/rest/ping.view?u=hidden"],
            code: .redirected, text: "redirects to https. Configure https://127.0.0.1/music instead."),
        Row(
            status: "301 Moved Permanently", lines: ["Location: https://new.example.com/rest/ping.view"],
            code: .redirected, text: "redirects elsewhere. Configure https://new.example.com instead."),
        Row(
            status: "301 Moved Permanently", lines: ["Location: javascript:alert(1)/rest/"], code: .redirected,
            text: "redirects to another page"),
        Row(
            status: "413 Request Entity Too Large", code: .server(status: 413),
            text: "refuses a request of this length (HTTP 413). Raise its limit"),
        Row(
            status: "502 Bad Gateway", code: .server(status: 502),
            text: "is not available (HTTP 502). Is the music server running behind its proxy?"),
        Row(status: "503 Service Unavailable", code: .server(status: 503), text: "is not available (HTTP 503)"),
        Row(
            status: "503 Service Unavailable", lines: ["Retry-After: 3"], code: .rateLimited,
            text: "accepts no more requests at once (HTTP 503)"),
        Row(status: "429 Too Many Requests", code: .rateLimited, text: "too many requests (HTTP 429)"),
    ]

    private func settings(_ url: String) -> SubsonicSettings {
        SubsonicSettings(
            url: url, username: "admin", credential: .password("secret"),
            timeouts: longTimeouts, retries: .init(count: 0))
    }

    @Test("each answer of a proxy says its own cause and cure", arguments: rows)
    func causes(row: Row) async throws {
        let server = try await RawServer.start { _ in
            .page(Array("<html>hidden</html>".utf8), type: "text/html", row.lines, status: row.status)
        }
        try await withClient(settings(server.url)) { client in
            let error = try #require(await failure { _ = try await client.ping() })
            #expect(error.code == row.code)
            #expect(error.message.contains(row.text), "\(error.message)")
            #expect(!error.message.contains("hidden") && !error.isRefusal)
        }
        await server.stop()
    }

    @Test("the headers of the configuration go with every call, and are told nobody")
    func headers() async throws {
        let server = try await FakeNavidrome.start(songs: 1)
        var settings = settings(server.url)
        settings.headers = [("CF-Access-Client-Id", "id"), ("Authorization", "Basic c2VjcmV0")]
        try await withClient(settings) { client in
            _ = try await client.ping()
            _ = try await client.stream(id: server.songs[0].id)
            _ = try? await NavidromeSession(client).signIn()
            #expect(server.requests.count == 3)
            for request in server.requests {
                #expect(request.headers["cf-access-client-id"] == "id")
                #expect(request.headers["authorization"] == "Basic c2VjcmV0")
            }
            server.setAnswer(
                of: "ping",
                Array(#"{"subsonic-response":{"status":"failed","error":{"code":0,"message":"Basic c2VjcmV0"}}}"#.utf8))
            let error = await failure { _ = try await client.ping() }
            #expect(error?.message.contains("c2VjcmV0") == false)
        }
        await server.stop()
    }

    @Test("a file of certificates that is not there is named as the cause")
    func noCertificate() async throws {
        var settings = settings("https://127.0.0.1:9")
        settings.certificate = "/nonexistent.pem"
        try await withClient(settings) { client in
            let error = await failure { _ = try await client.ping() }
            #expect(error?.message.contains("certificate under [navidrome] can't be read") == true)
        }
    }

    @Test("a server that answers http on its port of https is said to speak no TLS")
    func noTLS() async throws {
        let server = try await FakeNavidrome.start(songs: 1)
        try await withClient(settings(server.url.replacing("http:", with: "https:"))) { client in
            let error = await failure { _ = try await client.ping() }
            #expect(error?.code == .insecure && error?.message.contains("does not use TLS") == true)
        }
        await server.stop()
    }

    @Test("refusals of a server that answers others are no outage: calls slow down and all come through")
    func limits() async throws {
        try await withServer(songs: 40, retries: 2) { server, client in
            _ = try await client.ping()
            try await server.setFaults(FakeFault(.status(503), match: "getSong", count: 4))
            let ids = server.songs.map(\.id)
            let found = try await withThrowingTaskGroup(of: SubsonicSong?.self) { group in
                for id in ids.prefix(3) { group.addTask { try await client.song(id: id) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(found.count { $0 != nil } == 3)
            #expect(!client.reachability.isAway)
        }
    }

    @Test("the pause between calls grows with refusals, and is gone after some answers")
    func pace() {
        let pace = RequestPace()
        #expect(pace.pause == .zero && !pace.wasAnswered)
        var pauses: [Duration] = []
        for _ in 0..<9 {
            pace.refused()
            pauses.append(pace.pause)
        }
        #expect(pauses.prefix(3) == [.milliseconds(50), .milliseconds(100), .milliseconds(200)])
        #expect(pauses.last == .seconds(2))
        for _ in 0..<100 { pace.answered() }
        #expect(pace.pause == .zero && pace.wasAnswered)
    }

    @Test(
        "each machine has a name of its own at the server",
        arguments: [
            ("kitchen.home.arpa", "segue-kitchen"), ("Bad Host\n", "segue-BadHost"), ("", "segue"),
            ("localhost", "segue"), ("küche", "segue-kche"), (".", "segue"),
        ])
    func clientName(host: String, name: String) {
        for folder in ["/var/lib/segue", "/home/ada/.local/state/segue"] {
            #expect(SubsonicSettings.clientName(on: host, stateDirectory: folder) == name)
        }
    }

    @Test("so has each Segue on one machine, the same one after a restart")
    func clientNamesOfOneMachine() {
        let folders = ["/var/lib/segue", "/var/lib/segue-kitchen", "/var/lib/segue-bath", "/srv/segue"]
        let names = folders.map { SubsonicSettings.clientName(on: "pi", stateDirectory: $0) }
        #expect(Set(names).count == 4)
        #expect(names[1].wholeMatch(of: /segue-pi-[0-9a-f]{4}/) != nil)
        #expect(SubsonicSettings.clientName(on: "pi", stateDirectory: folders[1]) == names[1])
    }

    @Test("songs and pictures that a server keeps in a storage come from there, without the login")
    func storage() async throws {
        let storage = try await RawServer.start { request in
            request.path == "/bucket/forbidden"
                ? .page([], status: "403 Forbidden")
                : .page(
                    Array("sound".utf8), type: "audio/flac", ["Content-Range: bytes 2-6/7"],
                    status: "206 Partial Content")
        }
        let place = storage.url
        let server = try await RawServer.start { request in
            let name = request.target.contains("id=bad") ? "forbidden" : "song"
            return .page([], ["Location: \(place)/bucket/\(name)?sign=abc"], status: "302 Found")
        }
        var settings = settings(server.url)
        settings.headers = [("Authorization", "Basic eA==")]
        try await withClient(settings) { client in
            let error = await failure { _ = try await client.stream(id: "a") }
            #expect(error?.code == .redirected && error?.message.contains("127.0.0.1, which is not allowed") == true)
            #expect(storage.requests.isEmpty)
        }
        settings.placeOfMedia = { $0 }
        try await withClient(settings) { client in
            let stream = try await client.stream(id: "a", from: 2)
            #expect(stream.offset == 2 && stream.totalLength == 7)
            var bytes: [UInt8] = []
            for try await piece in stream.body { bytes += Array(buffer: piece) }
            #expect(bytes == Array("sound".utf8))
            let request = try #require(storage.requests.first)
            #expect(request.target == "/bucket/song?sign=abc" && request.headers["range"] == "bytes=2-")
            #expect(request.headers["authorization"] == nil)
            let error = await failure { _ = try await client.stream(id: "bad") }
            #expect(error?.message.contains("redirects its files, answers HTTP 403") == true)
            #expect(try await client.coverArt(id: "a", size: nil)?.bytes == Array("sound".utf8))
        }
        await storage.stop()
        await server.stop()
    }
}
