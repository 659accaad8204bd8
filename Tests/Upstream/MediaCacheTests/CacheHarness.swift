import Coordination
import Foundation
import Logging
import MusicModel
import Playback
import Subsonic
import Synchronization
import TestSupport

@testable import MediaCache

/// A fake server, a client and a cache in a fresh folder. Song 1 is the server's first, and so on.
final class CacheHarness: Sendable {
    let server: FakeNavidrome
    let client: SubsonicClient
    let folder: URL

    init(songs: Int = 4, options: FakeOptions = FakeOptions(), retries: Int = 1) async throws {
        server = try await FakeNavidrome.start(songs: songs, options: options)
        client = SubsonicClient(
            SubsonicSettings(
                url: server.url, username: "admin", credential: .password("secret"),
                timeouts: .init(connect: .seconds(600), answer: .seconds(600), idle: .seconds(600)),
                retries: .init(count: retries, firstDelay: .milliseconds(1), maxDelay: .milliseconds(10))),
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        folder = URL.temporaryDirectory.appending(path: "segue-cache-\(UUID().uuidString)")
    }

    /// A cache over the folder; a second one sees what the first left, as after a restart.
    func cache(
        limit: Int64 = 1 << 30, keepFree: Int64 = 0, form: TrackForm = TrackForm(),
        canDecode: @escaping @Sendable (String) -> Bool = { _ in true },
        patience: Duration = .milliseconds(50), clock: (any ServiceClock)? = nil,
        overrides: [SongID: String] = [:]
    ) throws -> TrackCache {
        let server = server
        return try TrackCache(
            directory: folder.path(), byteLimit: limit, keepFree: keepFree, client: client, form: form,
            canDecode: canDecode,
            pauses: clock == nil ? (.milliseconds(10), .milliseconds(40)) : (.seconds(1), .seconds(30)),
            patience: patience, clock: clock ?? ContinuousClock(),
            resolve: { id in
                if let path = overrides[id] { return (.localFile(path: path), "flac", nil) }
                let songs = server.songs
                guard id.rawValue >= 1, id.rawValue <= songs.count else { return nil }
                return (.navidrome(id: songs[Int(id.rawValue) - 1].id), "wav", nil)
            },
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Runs a test and cleans up.
    static func run(
        songs: Int = 4, options: FakeOptions = FakeOptions(), retries: Int = 1,
        _ body: (CacheHarness) async throws -> Void
    ) async throws {
        let harness = try await CacheHarness(songs: songs, options: options, retries: retries)
        let result: Result<Void, any Error>
        do { result = .success(try await body(harness)) } catch { result = .failure(error) }
        await harness.client.shutDown()
        await harness.server.stop()
        try? FileManager.default.removeItem(at: harness.folder)
        try result.get()
    }

    /// What `stream` sends for a song, by number.
    func sound(_ number: Int) -> [UInt8] { server.sound(of: server.songs[number - 1].id) }

    /// The requests for a song's bytes, by number.
    func streamRequests(_ number: Int) -> [FakeRequest] {
        let id = server.songs[number - 1].id
        return server.requests.filter { $0.call == "stream" && $0["id"] == id }
    }

    /// The files in the folder.
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()) ?? [] }
}

/// A song's number as its id.
func song(_ number: Int64) -> SongID { SongID(rawValue: number) }

/// The bytes of a file.
func contents(_ path: String) -> [UInt8] { (try? Data(contentsOf: URL(filePath: path))).map { Array($0) } ?? [] }

/// Waits until a file is whole; false if it failed or took too long.
func isWhole(_ file: TrackFile) async -> Bool {
    _ = await eventually { file.current.isComplete || file.current.failure != nil }
    return file.current.isComplete
}
