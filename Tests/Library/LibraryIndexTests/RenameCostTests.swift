import GRDB
import GRDBSQLite
import Glibc
import LibrarySamples
import MusicModel
import Testing

@testable import LibraryIndex

@Suite("What renaming a whole library costs")
struct RenameCostTests {
    /// The work of one change, counted by SQLite every hundred steps of its machine.
    private final class Work: @unchecked Sendable {
        /// The steps of SQLite's machine.
        var steps = 0
        /// The processor's time in nanoseconds, of SQLite and of what runs between its steps.
        var time: Int64 = 0
        private var last: (thread: pthread_t, time: Int64)?

        func count() {
            var now = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
            let (thread, time) = (pthread_self(), Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
            if let last, last.thread == thread { self.time += time - last.time }
            last = (thread, time)
            steps += 100
        }
    }

    private static func songs(_ count: Int, in folder: String, hash: UInt64) -> [IndexedSong] {
        (0..<count).map { song("\(folder)/\($0 / 500)/\($0)", id: "\($0)", hash: hash, (.title, "Title \($0)")) }
    }

    /// Renames every song of a library, so that some of the new folders have the paths of songs.
    private static func renaming(_ count: Int) async throws -> Work {
        let test = try await TestIndex(songs(count, in: "Old", hash: 1))
        var renamed = songs(count, in: "New", hash: 2)
        for place in stride(from: 0, to: count, by: 10) {
            renamed[place] = song("Old/\(place / 500)/\(place)/x", id: "\(place)", hash: 2, (.title, "Title \(place)"))
        }
        let work = Work()
        try await test.index.write { database in
            let context = Unmanaged.passUnretained(work).toOpaque()
            sqlite3_progress_handler(
                database.sqliteConnection, 100,
                { context in
                    if let context { Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().count() }
                    return 0
                }, context)
        }
        let result = try await test.index.apply(LibraryChanges(mount: "", upserts: renamed))
        try await test.index.write { sqlite3_progress_handler($0.sqliteConnection, 0, nil, nil) }
        #expect(result.updated.count == count)
        #expect(try await test.numbers()["Old/0/10/x"] != nil)
        return work
    }

    @Test("it grows with the songs, not with their square")
    func growth() async throws {
        let (tiny, small, large) = (
            try await Self.renaming(1250), try await Self.renaming(5_000), try await Self.renaming(10_000)
        )
        #expect(small.steps > 5_000)
        #expect(Double(large.steps) < Double(small.steps) * 2.3)
        // Eight times as many songs would take 64 times as long. The processor's time is that of one thread, which
        // other programs make longer, but not by this much.
        #expect(large.time < tiny.time * 24)
    }
}
