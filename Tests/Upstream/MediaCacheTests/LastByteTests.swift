import Foundation
import Logging
import Playback
import Subsonic
import Synchronization
import TestSupport
import Testing

@testable import MediaCache

@Suite("The last byte of a song")
struct LastByteTests {
    /// A song on its way without a listener.
    struct Fetching {
        let download: TrackDownload
        let path: String
        let file: Int32

        init(_ harness: CacheHarness) throws {
            try FileManager.default.createDirectory(at: harness.folder, withIntermediateDirectories: true)
            path = harness.folder.appending(path: "song").path()
            let id = harness.server.songs[0].id
            download = TrackDownload(
                key: CacheKey(id: id, form: TrackForm(), suffix: "wav", size: nil), songID: id, path: path,
                isWantedAhead: true, clock: ContinuousClock())
            file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        }

        func fetcher(_ harness: CacheHarness, mayFetchAhead: @escaping @Sendable () -> Bool) -> TrackFetcher {
            let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            return TrackFetcher(
                client: harness.client, form: TrackForm(), download: download, file: file,
                pauses: (.milliseconds(10), .milliseconds(40)), patience: .milliseconds(50), clock: ContinuousClock(),
                expectedSize: nil, makeRoom: { _ in true }, mayFetchAhead: mayFetchAhead,
                notice: KeepingNotice(of: "songs", log: log), log: log)
        }
    }

    @Test("a song that is left when its last byte has just come is kept")
    func left() async throws {
        try await CacheHarness.run { harness in
            let fetching = try Fetching(harness)
            defer { close(fetching.file) }
            let (download, length) = (fetching.download, Int64(harness.sound(1).count))
            // Another song is wanted, and this one no longer, as soon as nothing is missing.
            try await fetching.fetcher(harness) {
                guard download.written == length else { return true }
                download.isWantedAhead = false
                return false
            }.run()
            #expect(!download.isWanted)
            #expect(contents(fetching.path) == harness.sound(1))
            #expect(harness.streamRequests(1).count == 1)
        }
    }

    @Test("a song that lacks nothing any more is not asked for again")
    func nothingMissing() async throws {
        try await CacheHarness.run { harness in
            let fetching = try Fetching(harness)
            defer { close(fetching.file) }
            fetching.download.begin(total: 5, version: nil)
            fetching.download.advance(by: 5)
            try await fetching.fetcher(harness) { true }.run()
            #expect(harness.streamRequests(1).isEmpty)
            #expect(fetching.download.written == 5)
        }
    }
}
