import Foundation
import LibraryIndex
import Logging
import MusicModel
@testable import Sync
import Testing
import UserLibrary

@Suite("The history of plays")
struct PlayHistoryTests {
    private let folder = NSTemporaryDirectory() + "segue-\(UUID().uuidString)"

    /// A library with a song of 100 seconds and one of unknown length.
    private func library() async throws -> (Library, [SongID]) {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let library = try Library(path: folder + "/segue.db")
        let songs = [Duration.seconds(100), nil].enumerated().map { place, duration in
            IndexedSong(
                mount: "", sourceID: "\(place)", source: .localFile(path: "/\(place).flac"), path: "\(place).flac",
                tags: [TagValue(.title, "Song \(place)")], duration: duration, lastModified: nil, added: nil,
                format: nil, replayGain: ReplayGain(), suffix: "flac", size: nil, coverArtID: nil, hash: 1)
        }
        _ = try await library.index.apply(LibraryChanges(mount: "", upserts: songs))
        return (library, try await library.index.findQueueable(SongQuery(.all)).map(\.id))
    }

    private func plays(_ library: Library, _ events: [PlaybackEvent]) async throws -> [[Int64]] {
        let (stream, continuation) = AsyncStream<PlaybackEvent>.makeStream()
        for event in events { continuation.yield(event) }
        continuation.finish()
        await PlayHistory(library: library, logger: Logger(label: "test")).run(events: stream)
        return try LibraryExport.read(path: folder + "/segue.db").history.map { [$0.song, $0.started, $0.heard] }
    }

    @Test("a play is noted once half of it was heard, with all that was heard in the end")
    func counting() async throws {
        let (library, songs) = try await library()
        let events: [PlaybackEvent] = [
            .started(play: 1, song: songs[0], at: 1_000), .heard(play: 1, song: songs[0], total: .seconds(49)),
            .ended(play: 1, song: songs[0]),
            .started(play: 2, song: songs[0], at: 2_000), .heard(play: 2, song: songs[0], total: .seconds(50)),
            .heard(play: 2, song: songs[0], total: .milliseconds(98_765)), .ended(play: 2, song: songs[0]),
            .started(play: 3, song: songs[1], at: 3_000), .heard(play: 3, song: songs[1], total: .seconds(239)),
            .ended(play: 3, song: songs[1]),
            .started(play: 4, song: songs[1], at: 4_000), .heard(play: 4, song: songs[1], total: .seconds(241)),
            .heard(play: 4, song: songs[1], total: .seconds(300)),
        ]
        let expected = [[songs[0].rawValue, 2_000, 98_765], [songs[1].rawValue, 4_000, 300_000]]
        #expect(try await plays(library, events) == expected, "also of a play that the end of the program cuts short")
        try library.close()
        try FileManager.default.removeItem(atPath: folder)
    }
}
