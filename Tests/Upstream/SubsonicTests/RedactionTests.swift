import MusicModel
import TestSupport
import Testing

@testable import Subsonic

@Suite("Secrets")
struct RedactionTests {
    private static let user = "carol-the-user"
    private static let password = "pässword-9f3b"

    /// Everything that proves who we are, in every form in which it is sent.
    private func secrets(_ requests: [FakeRequest]) -> [String] {
        var secrets = [Self.user, Self.password, Self.password.utf8.hexadecimal]
        for request in requests {
            for name in ["t", "s", "p"] { secrets += request.all(name) }
        }
        return secrets
    }

    @Test("no log line, error or description holds a secret or a query, whatever goes wrong")
    func logsAndErrors() async throws {
        for kind in [FakeOptions.Kind.navidrome, .supysonic] {
            var options = FakeOptions()
            options.kind = kind
            options.user = Self.user
            options.password = Self.password
            let server = try await FakeNavidrome.start(songs: 3, options: options)
            let lines = LogLines()
            var settings = settings(server, password: Self.password, retries: 1)
            settings.username = Self.user
            try await withClient(settings, log: lines) { client in
                _ = try await client.ping()
                for mode in [
                    FakeFault.Mode.down, .refuse, .http500, .wrongCredentials, .garbage, .html, .cut(after: 10),
                    .rateLimited(retryAfter: 0),
                ] {
                    try await server.setFaults(FakeFault(mode))
                    for line in await failures(client) { lines.add(line) }
                }
                try await server.setFaults()
                let echo =
                    #"{"subsonic-response":{"status":"failed","error":{"code":0,"message":"bad login \#(Self.user):\#(Self.password)"}}}"#
                server.setAnswer(of: "ping", Array(echo.utf8))
                for line in await failures(client) { lines.add(line) }
            }
            lines.add("\(settings) \(String(reflecting: settings)) \(settings.credential)")
            var dumped = ""
            dump(settings, to: &dumped)
            lines.add(dumped)
            #expect(lines.all.count > 20)
            for secret in secrets(server.requests) {
                #expect(!lines.all.contains { $0.contains(secret) })
            }
            #expect(!lines.all.contains { $0.contains("?u=") || $0.contains("&t=") || $0.contains("/rest/") })
            await server.stop()
        }
    }

    /// What a person would see of every kind of call's failure.
    private func failures(_ client: SubsonicClient) async -> [String] {
        var seen: [String] = []
        let calls: [() async throws -> Void] = [
            { _ = try await client.ping() }, { _ = try await client.songs(offset: 0, count: 1) },
            { _ = try await client.stream(id: "x") }, { _ = try await client.coverArt(id: "x", size: nil) },
            { try await client.scrobble([SubsonicPlay(id: "x", time: 1)]) },
        ]
        for call in calls {
            do { try await call() } catch { seen.append("\(error) \(String(reflecting: error))") }
        }
        return seen
    }

    @Test("every client has a salt of its own")
    func salts() async throws {
        let server = try await FakeNavidrome.start(songs: 1)
        for _ in 0..<3 { try await withClient(settings(server)) { client in _ = try await client.ping() } }
        #expect(Set(server.requests.compactMap { $0["s"] }).count == 3)
        await server.stop()
    }

    @Test("the token is md5 of password and salt")
    func token() {
        #expect(Credentials.token(password: "sesame", salt: "c19b2d") == "26719a1196d2a940705a59634eb18eab")
    }
}
