import Coordination
import Foundation
import Logging
import Playback
import Subsonic
import Synchronization
import TestSupport
import Testing

@testable import MediaCache

/// Whatever a server sends for a song or a picture, no more of it is kept than the library says that there is, and who
/// asked is told in a sentence.
@Suite("Hostile songs and pictures of the server", .serialized, .timeLimit(.minutes(10)))
struct HostileMediaTests {
    private static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    /// The size that the library knows.
    private static let expected: Int64 = 2 << 20

    private func withClient(_ body: (RawServer, SubsonicClient, URL) async throws -> Void) async throws {
        let server = try await RawServer.start()
        let folder = URL.temporaryDirectory.appending(path: "segue-media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let client = SubsonicClient(
            SubsonicSettings(
                url: server.url, username: "admin", credential: .password("secret"),
                timeouts: .init(connect: .seconds(600), answer: .seconds(600), idle: .seconds(600)),
                retries: .init(count: 0)),
            log: Self.log)
        try await body(server, client, folder)
        await client.shutDown()
        await server.stop()
    }

    /// Fetches a song that a listener waits for; gives how much is on disk, and the error for the listener.
    private func fetch(_ client: SubsonicClient, in folder: URL) async throws -> (written: Int64, error: (any Error)?) {
        let path = folder.appending(path: "song").path()
        let download = TrackDownload(
            key: CacheKey(id: "x", form: TrackForm(), suffix: "flac", size: Self.expected), songID: "x", path: path,
            isWantedAhead: true, clock: ContinuousClock())
        download.reserve()
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(file) }
        let fetcher = TrackFetcher(
            client: client, form: TrackForm(), download: download, file: file,
            pauses: (.milliseconds(1), .milliseconds(2)), patience: .milliseconds(20), clock: ContinuousClock(),
            expectedSize: Self.expected,
            makeRoom: { $0 <= 64 << 20 }, mayFetchAhead: { true }, notice: KeepingNotice(of: "songs", log: Self.log),
            log: Self.log)
        do {
            try await fetcher.run()
            return (download.written, nil)
        } catch {
            return (download.written, error)
        }
    }

    private static func sound(_ lines: [String], then ending: RawServer.Answer.Ending = .closes) -> RawServer.Answer {
        let head = ["HTTP/1.1 200 OK", "Content-Type: audio/flac"] + lines + ["", ""]
        return RawServer.Answer(Array(head.joined(separator: "\r\n").utf8), then: ending)
    }

    private static let songs: [(name: String, answer: RawServer.Answer)] = [
        ("a body without an end", sound([], then: .repeats([UInt8](repeating: 7, count: 1 << 16)))),
        (
            "chunks without an end",
            sound(
                ["Transfer-Encoding: chunked"],
                then: .repeats(Array(String(repeating: "1\r\n \r\n", count: 9000).utf8)))
        ),
        ("a length of 2^63", sound(["Content-Length: 9223372036854775807"])),
        ("a length of 2^62, and bytes", sound(["Content-Length: 4611686018427387904"])),
        ("a length of -1", sound(["Content-Length: -1"])),
        ("a cut song", sound(["Content-Length: 100000"])),
        ("an empty song", sound(["Content-Length: 0"])),
        (
            "a header without an end",
            RawServer.Answer(
                Array("HTTP/1.1 200 OK\r\nX: ".utf8), then: .repeats([UInt8](repeating: 0x78, count: 1 << 16)))
        ),
        ("a page", .page(Array("<html>".utf8), type: "text/html")),
        ("too many requests", .page([], ["Retry-After: 9223372036854775807"], status: "429 No")),
        ("another part", .page([1, 2, 3], type: "audio/flac", ["Content-Range: bytes 7-9/3"], status: "206 Part")),
        ("a packed song", .page([0x1F, 0x8B, 8, 0, 0, 1, 2, 3], type: "audio/flac", ["Content-Encoding: gzip"])),
    ]

    @Test(
        "a song that is none fails in a sentence, and takes no more room than the song has", arguments: songs.indices)
    func hostileSongs(place: Int) async throws {
        let (name, answer) = Self.songs[place]
        try await withClient { server, client, folder in
            server.answer(answer)
            let (written, error) = try await fetch(client, in: folder)
            let sentence = try #require(
                (error as? TrackError)?.message, "\(name) ends with \(String(describing: error))")
            #expect(!sentence.isEmpty && sentence.utf8.count <= 500, "\(name)")
            #expect(written <= Self.expected + Self.expected / 10, "\(name): \(written) bytes were kept")
            #expect(server.requests.count <= 200, "\(name): \(server.requests.count) requests")
        }
    }

    private func cache(_ client: SubsonicClient, _ folder: URL) throws -> CoverArtCache {
        try CoverArtCache(
            directory: folder.path(), byteLimit: 1 << 30, size: 60, client: client,
            gate: RequestGate(firstPause: .milliseconds(1)), patience: (.seconds(60), .seconds(60)), log: Self.log)
    }

    @Test("a picture that is none is none, and one that is too large is not kept")
    func pictures() async throws {
        for attack in HTTPAttack.finite + HTTPAttack.endless {
            // A client and a gate of its own: the one keeps connections, and the other is closed after a failure.
            try await withClient { server, client, folder in
                server.answer(attack.answer)
                let cache = try cache(client, folder)
                #expect(await cache.picture(coverArtID: "mf-1_6b00ef1c") == nil, "\(attack)")
                #expect((1...3).contains(server.requests.count), "\(attack)")
            }
        }
    }

    @Test("pictures with types of several lines, and of no bytes, harm no file")
    func types() async throws {
        try await withClient { server, client, folder in
            let cache = try cache(client, folder)
            let type = "image/\u{85}x" + String(repeating: "y", count: 5000)
            server.answer { request in
                // What is asked for without an id is what things without a picture have.
                let body = String(decoding: request.body, as: UTF8.self)
                return body.contains("&id=") ? .page([1, 2, 3], type: type) : .page([9], type: "image/png")
            }
            let picture = await cache.picture(coverArtID: "mf-1_6b00ef1c")
            #expect(picture?.bytes == [1, 2, 3])
            #expect(await cache.picture(coverArtID: "mf-1_6b00ef1c")?.bytes == [1, 2, 3])
        }
    }
}
