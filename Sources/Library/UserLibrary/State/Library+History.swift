import GRDB
import LibraryIndex
package import MusicModel

extension Library {
    /// Plays that are kept at most, the newest ones: about 10 MB, and thirty years of twenty songs a day.
    static let maxHistory: Int64 = 200_000

    /// Notes a play that counts.
    /// - Parameters:
    ///   - milliseconds: when it began, in Unix milliseconds.
    ///   - heard: what was heard of it so far.
    /// - Returns: the entry's number, for `updateHistory`.
    @concurrent
    package func addHistory(song: SongID, startedAt milliseconds: Int64, heard: Duration) async throws -> Int64 {
        try await write { database in
            try database.run(
                "INSERT INTO history (song, started, heard) VALUES (?, ?, ?)", song.rawValue, milliseconds,
                heard.milliseconds)
            let id = database.lastInsertedRowID
            try database.run("DELETE FROM history WHERE id <= ?", id - Self.maxHistory)
            return id
        }
    }

    /// Notes how much of a play was heard in the end.
    @concurrent
    package func updateHistory(_ id: Int64, heard: Duration) async throws {
        try await write { try $0.run("UPDATE history SET heard = ? WHERE id = ?", heard.milliseconds, id) }
    }
}
