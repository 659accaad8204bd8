import GRDB
import LibraryIndex
package import MusicModel

/// A play that waits to be submitted.
package struct WaitingPlay: Hashable, Sendable {
    /// The play's number in the outbox.
    package var id: Int64
    /// The server's id of the song.
    package var serverSongID: String
    /// Start of the play, Unix milliseconds.
    package var startedAt: Int64
}

extension Library {
    /// Plays that are kept at most, the newest ones: about 10 MB, and thirty years of twenty songs a day.
    static let maxHistory: Int64 = 200_000

    /// Notes a play that counts, which began at a time in Unix milliseconds, with what was heard of it so far.
    /// - Returns: the entry's number, for `updateHistory`.
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
    package func updateHistory(_ id: Int64, heard: Duration) async throws {
        try await database.run("UPDATE history SET heard = ? WHERE id = ?", heard.milliseconds, id)
    }

    /// Puts a play into the outbox, where it stays until `removePlays`, and counts it in the song's stickers.
    package func enqueuePlay(song: SongID, startedAt milliseconds: Int64) async throws {
        let now = UnixTime.milliseconds
        try await write { database in
            try database.run("INSERT INTO play (song, started) VALUES (?, ?)", song.rawValue, milliseconds)
            try PlayCounting(database, now: now).count(song, started: milliseconds)
        }
    }

    /// The oldest waiting plays of songs of the server, with the server's ids.
    package func waitingPlays(limit: Int) async throws -> [WaitingPlay] {
        try await database.rows(
            """
            SELECT p.id, ifnull(s.source_value, s.source_id), p.started FROM play p
            JOIN song s ON s.id = p.song AND s.source_kind = 0 ORDER BY p.id LIMIT ?
            """, limit
        ) { WaitingPlay(id: $0.int(0), serverSongID: $0.text(1), startedAt: $0.int(2)) }
    }

    /// Takes plays out of the outbox; `areCounted` is false for those that can never be submitted.
    package func removePlays(_ ids: [Int64], areCounted: Bool = true) async throws {
        let now = UnixTime.milliseconds
        try await write { database in
            let row = try SQLStatement(database, "DELETE FROM play WHERE id = ? RETURNING song, started")
            var plays: [(song: Int64, started: Int64)] = []
            for id in ids { try row.forEach(id) { plays.append(($0.int(0), $0.int(1))) } }
            let edits = MarkEditStore(database)
            if areCounted { try edits.finish(plays: plays, now: now) }
            try edits.forgetDone(now: now)
        }
    }
}
