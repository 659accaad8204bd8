import GRDB
import LibraryIndex
package import MusicModel

extension Library {
    /// Puts a play into the outbox, where it stays, across crashes, until `removePlays`, and counts it in the song's
    /// stickers.
    @concurrent
    package func enqueuePlay(song: SongID, startedAt milliseconds: Int64) async throws {
        let now = UnixTime.milliseconds
        try await write { database in
            try database.run("INSERT INTO play (song, started) VALUES (?, ?)", song.rawValue, milliseconds)
            try PlayCounting(database, now: now).count(song, started: milliseconds)
        }
    }

    /// The oldest waiting plays of songs of the server, with the server's ids.
    @concurrent
    package func waitingPlays(limit: Int) async throws -> [WaitingPlay] {
        try await read { database in
            try database.rows(
                """
                SELECT p.id, ifnull(s.source_value, s.source_id), p.started FROM play p
                JOIN song s ON s.id = p.song AND s.source_kind = 0 ORDER BY p.id LIMIT ?
                """, limit
            ) { WaitingPlay(id: $0.int(0), serverSongID: $0.text(1), startedAt: $0.int(2)) }
        }
    }

    /// Takes plays out of the outbox.
    /// - Parameter areCounted: whether the server has counted them; otherwise they can never be submitted.
    @concurrent
    package func removePlays(_ ids: [Int64], areCounted: Bool = true) async throws {
        let now = UnixTime.milliseconds
        try await write { database in
            let row = try SQLStatement(database, "DELETE FROM play WHERE id = ? RETURNING song, started")
            var plays: [(song: Int64, started: Int64)] = []
            for id in ids { try row.forEach(id) { plays.append(($0.int(0), $0.int(1))) } }
            let finishing = MarkFinishing(database, now: now)
            if areCounted { try finishing.finish(plays: plays) }
            try finishing.forgetOld()
        }
    }
}
