import Discovery
import Foundation
import GRDB
import LibraryIndex
import LibrarySamples
import MusicModel
import UserLibrary

/// A library in a database, all of whose songs were heard.
enum HeardLibrary {
    private static let plays = 200_000

    /// How long reading what was heard takes, as before each of the auto-DJ's picks: in processor time of all threads.
    static func row(songs count: Int) async throws -> DiscoveryBench.Row {
        let folder = FileManager.default.temporaryDirectory.appending(path: "discovery-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let library = try Library(path: folder.appending(path: "segue.db").path)
        let songs = (0..<count).map { song("\($0 / 12)/\($0)", (.artist, "Artist \($0 / 12)"), (.title, "\($0)")) }
        _ = try await library.index.apply(LibraryChanges(mount: "", upserts: songs))
        try await library.write { database in
            for (name, value) in [("playCount", "1 + id % 40"), ("lastPlayed", "1700000000 + id")] {
                try database.execute(
                    sql: "INSERT INTO song_sticker (song, name, value) SELECT id, '\(name)', \(value) FROM song")
            }
            // As many plays as are kept.
            try database.execute(
                sql: """
                    INSERT INTO history (song, started, heard)
                    WITH RECURSIVE play(number) AS
                        (SELECT 1 UNION ALL SELECT number + 1 FROM play WHERE number < \(plays))
                    SELECT 1 + number * 7919 % \(count), 1700000000000 + number * 60000, 200000 FROM play
                    """)
        }
        guard let catalogue = try await SongCatalogue.read(library, unless: nil) else {
            preconditionFailure("a library that was not read before has songs to read")
        }
        var times: [Double] = []
        for _ in 0..<9 {
            let before = processorTime
            _ = try await Listening.read(library, of: catalogue)
            times.append(processorTime - before)
        }
        try library.close()
        times.sort()
        return DiscoveryBench.Row(
            what: "reading what was heard, of \(count) songs with two stickers each and \(plays) plays",
            found: String(format: "%.1f ms (most %.1f)", times[4], times[8]), wanted: "none set", isMet: true)
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }
}
