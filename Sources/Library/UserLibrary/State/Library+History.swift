import GRDB
import LibraryIndex
package import MusicModel

extension Library {
    /// Plays that are kept at most, the newest ones: about 10 MB, and thirty years of twenty songs a day.
    static let maxHistory: Int64 = 200_000

    /// Notes a play that counts.
    ///
    /// - Parameters:
    ///   - milliseconds: when it began, in Unix milliseconds.
    ///   - heard: what was heard of it so far.
    /// - Returns: the entry's number, for `updateHistory`.
    @concurrent
    package func addHistory(song: SongID, startedAt milliseconds: Int64, heard: Duration) async throws -> Int64 {
        try await write { database in
            let insertion = try SQLStatement(
                database, "INSERT INTO history (song, started, heard) VALUES (?, ?, ?)")
            insertion.bind(1, song.rawValue)
            insertion.bind(2, milliseconds)
            insertion.bind(3, heard.milliseconds)
            try insertion.run()
            let id = database.lastInsertedRowID
            let deletion = try SQLStatement(database, "DELETE FROM history WHERE id <= ?")
            deletion.bind(1, id - Self.maxHistory)
            try deletion.run()
            return id
        }
    }

    /// Notes how much of a play was heard in the end.
    @concurrent
    package func updateHistory(_ id: Int64, heard: Duration) async throws {
        try await write { database in
            let update = try SQLStatement(database, "UPDATE history SET heard = ? WHERE id = ?")
            update.bind(1, heard.milliseconds)
            update.bind(2, id)
            try update.run()
        }
    }
}
