import Coordination
import Foundation
import Logging
import MusicModel
import TestSupport
import Testing
import WebAPI

@testable import Lidarr

/// Whatever a Lidarr answers, it ends in a short sentence or in albums of short texts and possible numbers, and no more
/// of it is read than an answer may have.
@Suite("A hostile Lidarr", .enabled(if: testsEverything), .serialized, .timeLimit(.minutes(10)))
struct HostileLidarrTests {
    private static let key = "5f1d2c3b4a59687766554433221100ff"
    /// What the system takes for a client that has stopped reading: the buffers of both ends.
    private static let buffers = 16 << 20
    private static let letter = "e" + String(repeating: "\u{301}", count: 100_000)
    private static let id = "6a7f2c0e-3c77-4c0b-9d0e-0123456789ab"
    private static let album = """
        {"foreignAlbumId":"\(id)","title":"\(letter)","disambiguation":"\(letter)","albumType":"\(letter)","id":5,
         "releaseDate":"\(String(repeating: "9", count: 5000))","monitored":true,"remoteCover":"http://127.0.0.1:1/x",
         "artist":{"artistName":"\(letter)","id":4611686018427387904},
         "statistics":{"trackFileCount":-4611686018427387904,"trackCount":4611686018427387904}}
        """

    private func withLidarr(
        patience: Duration = .seconds(600), _ body: (RawServer, LidarrClient) async throws -> Void
    ) async throws {
        let server = try await RawServer.start()
        var settings = LidarrSettings(url: server.url, key: Secret(Self.key))
        settings.timeout = patience
        try await body(server, LidarrClient(settings, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        await server.stop()
    }

    /// Every call, with what it asks for.
    private static let calls: [(name: String, run: @Sendable (LidarrClient) async throws -> Void)] = [
        ("search", { _ = try await $0.search("blue") }), ("request", { _ = try await $0.request(id) }),
        ("state", { _ = try await $0.state(of: id) }), ("missing", { _ = try await $0.missing(of: "Blue") }),
        ("check", { _ = try await $0.check() }),
    ]

    /// Makes every call and expects a sentence from each.
    private func refusals(
        _ name: String, _ server: RawServer, _ client: LidarrClient, _ answer: RawServer.Answer, most: Int = 2
    ) async {
        for (call, run) in Self.calls {
            server.answer(answer)
            do {
                try await run(client)
                Issue.record("\(name): \(call) is content")
            } catch {
                guard let error = error as? AlbumRequestError else {
                    Issue.record("\(name), \(call): \(error)")
                    continue
                }
                let controls = error.description.unicodeScalars.filter { $0.properties.generalCategory == .control }
                #expect(error.description.utf8.count <= 1000 && controls.isEmpty, "\(name), \(call): \(error)")
                #expect(!error.description.contains(Self.key), "\(name), \(call)")
            }
            #expect(server.sent <= server.requests.count * (8 << 20) + Self.buffers, "\(name), \(call)")
            #expect(server.requests.count <= most, "\(name), \(call): \(server.requests.count) requests")
        }
    }

    @Test("HTTP that is none is a short refusal", arguments: HTTPAttack.finite + HTTPAttack.endless)
    func badHTTP(attack: HTTPAttack) async throws {
        try await withLidarr { server, client in
            await refusals(attack.name, server, client, attack.answer)
            guard attack.isEndless else { return }
            try await eventually("the last connection's end") { server.connectionCount == 0 }
        }
    }

    @Test("one that says nothing of use, or drips, is given up when its time is over", arguments: HTTPAttack.slow)
    func slow(attack: HTTPAttack) async throws {
        try await withLidarr(patience: .milliseconds(100)) { server, client in
            // A request that was given up may reach the server with the next one.
            await refusals(attack.name, server, client, attack.answer, most: .max)
            let drips = RawServer.Answer.raw(["Content-Length: 60000"], then: .drips([0x20]))
            await refusals("a body that drips", server, client, drips, most: .max)
        }
    }

    /// Bodies that are no answer to any call.
    private static let bodies: [(name: String, status: String, body: String)] = [
        ("nothing", "200 OK", ""), ("zero bytes", "200 OK", String(repeating: "\0", count: 60_000)),
        ("12 MB", "200 OK", "[" + String(repeating: " ", count: 12 << 20) + "]"),
        ("deep lists", "200 OK", String(repeating: "[", count: 60_000)),
        ("types that are wrong", "200 OK", #"[{"album":{"foreignAlbumId":1,"title":[]},"foreignAlbumId":1}]"#),
        ("numbers that are none", "200 OK", #"[{"album":{"id":1e999,"title":"x"},"id":1e999}]"#),
        ("an error of a megabyte", "500 No", #"{"message":"\#(letter)"}"#),
        ("an error that clears the screen", "500 No", #"{"message":"\u001b[2J\u009b31m\nOK"}"#),
        (
            "complaints", "400 No",
            "["
                + Array(repeating: #"{"errorMessage":"\#(letter)","errorCode":"\u001b[2J"}"#, count: 5)
                .joined(separator: ",") + "]"
        ),
        ("complaints that clear the screen", "400 No", #"[{"errorMessage":"\u001b[2J\u0007"}]"#),
        ("another program", "200 OK", #"{"appName":"\u001b[2J\#(letter)"}"#),
    ]

    @Test("bodies that are no answer are a short refusal", arguments: bodies.map(\.name))
    func badBodies(name: String) async throws {
        let (_, status, body) = try #require(Self.bodies.first { $0.name == name })
        try await withLidarr { server, client in
            await refusals(name, server, client, .page(Array(body.utf8), status: status))
        }
    }

    @Test("a redirection is not followed, and no other server gets the key")
    func redirections() async throws {
        let elsewhere = try await RawServer.start()
        try await withLidarr { server, client in
            for attack in HTTPAttack.redirections(to: elsewhere.url) {
                server.answer(attack.answer)
                let error = await #expect(throws: AlbumRequestError.self) { try await client.search("blue") }
                #expect(error?.description.contains("redirects") == true, "\(attack)")
                #expect(server.requests.count == 1, "\(attack)")
            }
        }
        #expect(elsewhere.requests.isEmpty)
        await elsewhere.stop()
    }

    @Test("albums are few, their texts short, and their numbers possible")
    func albums() async throws {
        try await withLidarr { server, client in
            server.answer(.page(Array("[{\"album\":\(Self.album)}]".utf8)))
            let album = try #require(try await client.search("blue").albums.first)
            for text in [album.title, album.artist, album.kind ?? "", album.note ?? ""] {
                #expect(text.utf8.count <= RequestedAlbum.maxTextLength)
            }
            #expect(album.songs.map { $0.total <= 100_000 && (0...$0.total).contains($0.have) } ?? true)
            #expect(album.picture == nil)
            let many = (0..<5000).map { number in
                let digits = String(number)
                let id = String(repeating: "0", count: 12 - digits.count) + digits
                return #"{"album":{"foreignAlbumId":"00000000-0000-0000-0000-\#(id)","title":"x"}}"#
            }
            server.answer(.page(Array("[\(many.joined(separator: ","))]".utf8)))
            #expect(try await client.search("blue").albums.count == LidarrClient.maxResults)
        }
    }

    @Test("an album that is asked for is kept in short texts")
    func request() async throws {
        try await withLidarr { server, client in
            let known = RawServer.Answer.page(Array("[\(Self.album)]".utf8))
            server.answer { $0.path.contains("/album") && $0.method == "GET" ? known : .page(Array("{}".utf8)) }
            let album = try await client.request(Self.id)
            #expect(try JSONEncoder().encode(album).count < 10_000)
        }
    }
}
