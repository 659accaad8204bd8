import GRDB
package import LibraryIndex
package import MusicModel

// Stars, ratings and plays: what the server knows of them, and what it does not have yet.
//
// Clients see them as stickers, which this keeps as the server has them: `like` 2, `rating`, `playCount`, `lastPlayed`.

extension Library {
    /// The number of the newest edit, taken before the server is asked, so that an older answer can't undo an edit.
    package func markClock() async throws -> Int64 { try await read { try MarkEditStore($0).clock() } }

    /// Takes what the server has of songs; writes nothing where that is known.
    /// - Parameter fields: what of them it told.
    /// - Parameter others: what the songs that it did not tell of don't have.
    /// - Parameter clock: what `markClock` said before the server was asked.
    /// - Returns: whether a sticker changed.
    package func takeSongMarks(
        _ marks: [ServerSongMarks], fields: MarkFields = .all, others: MarkFields = [], clock: Int64
    ) async throws -> Bool {
        let told = try await read { try SongMarkDifference($0, fields: fields, others: others).find(marks) }
        if told.isEmpty { return false }
        let now = UnixTime.milliseconds
        let outcome = try await write { database in
            var store = SongMarkStore(database, now: now)
            for (song, marks, fields) in told { try store.observe(song, marks, fields: fields, clock: clock) }
            return (store.changed, store.hasWork)
        }
        if outcome.1 { noteUpstreamWork() }
        return outcome.0 > 0
    }

    /// Takes what the server has of albums or artists, as `takeSongMarks` does.
    /// - Parameter isCatalog: whether those that it did not tell of don't exist.
    package func takeMarks(
        of kind: MarkedKind, _ marks: [ServerItemMarks], fields: MarkFields = .all, others: MarkFields = [],
        isCatalog: Bool = false, clock: Int64
    ) async throws -> Bool {
        let difference = CatalogMarkDifference(
            kind: kind, fields: fields.subtracting(.plays), others: others.subtracting(.plays), isCatalog: isCatalog)
        let told = try await read { try difference.find(marks, $0) }
        if told.marks.isEmpty && told.gone.isEmpty { return false }
        let now = UnixTime.milliseconds
        let outcome = try await write { database in
            var store = CatalogMarkStore(database, now: now)
            for (marks, fields) in told.marks { try store.observe(kind, marks, fields: fields, clock: clock) }
            for id in told.gone { try difference.forget(id, database) }
            return (store.changed, store.hasWork)
        }
        if outcome.1 { noteUpstreamWork() }
        return outcome.0 > 0
    }

    /// Takes the server for one that was never asked about albums and artists, as its database is new.
    package func forgetServerCatalog() async throws {
        try await write { try SQLStatement($0, "UPDATE catalog_mark SET starred = NULL, rating = NULL").run() }
    }

    /// The oldest edits that the server does not have yet.
    package func waitingMarkEdits(limit: Int) async throws -> [MarkEdit] {
        try await read { try MarkEditStore($0).waiting(limit: limit) }
    }

    /// Notes that these edits are being sent, before they are: what the server shows from now on may be their effect.
    /// - Returns: those that are still wanted. Others were replaced since they were read; the later ones wait.
    package func beginMarkEdits(_ edits: [MarkEdit]) async throws -> [MarkEdit] {
        try await write { database in
            let store = MarkEditStore(database)
            return try edits.filter { try store.send(number: $0.number) }
        }
    }

    /// Notes that the server has these edits. An edit made meanwhile in place of one of them keeps waiting.
    package func finishMarkEdits(_ edits: [MarkEdit]) async throws {
        let now = UnixTime.milliseconds
        try await write { database in
            let store = MarkEditStore(database)
            for edit in edits { try store.finish(edit, now: now) }
            try store.forgetDone(now: now)
        }
    }

    /// Forgets an edit that the server never takes; the sticker stays as it is.
    package func discardMarkEdit(_ edit: MarkEdit) async throws {
        try await database.run("DELETE FROM mark_edit WHERE number = ?", edit.number)
    }
}

/// The stars and ratings that changed in a while.
package struct ChangedMarks: Hashable, Sendable {
    /// Songs, each once.
    package var songs: [SongID] = []
    /// True if marks of albums, artists or other things did, too.
    package var hasOthers = false
}

extension Library {
    /// Has the database note from now on which stars and ratings change, in a temporary table, or no more.
    package func noteMarkChanges(_ isOn: Bool) async throws {
        try await write { database in
            try database.execute(sql: "DROP TABLE IF EXISTS temp.mark_change")
            for (name, _) in Self.markTriggers { try database.execute(sql: "DROP TRIGGER IF EXISTS temp.\(name)") }
            guard isOn else { return }
            // -1 stands for whatever is no song.
            try database.execute(sql: "CREATE TEMP TABLE mark_change (song INTEGER UNIQUE)")
            for (_, sql) in Self.markTriggers { try database.execute(sql: sql) }
        }
    }

    private static let markTriggers = ["song_sticker", "sticker", "album_mark"].flatMap { table in
        ["INSERT", "UPDATE", "DELETE"].map { moment in
            let row = moment == "DELETE" ? "OLD" : "NEW"
            let sql = """
                CREATE TEMP TRIGGER note_\(table)_\(moment) AFTER \(moment) ON main.\(table)
                WHEN \(row).name IN ('like', 'rating')\(moment == "UPDATE" ? " AND NEW.value <> OLD.value" : "")
                BEGIN INSERT OR IGNORE INTO mark_change VALUES (\(table == "song_sticker" ? row + ".song" : "-1")); END
                """
            return (name: "note_\(table)_\(moment)", sql: sql)
        }
    }

    /// Takes what was noted since the last time; nothing where nothing is noted.
    package func takeMarkChanges() async throws -> ChangedMarks {
        try await write { database in
            var changes = ChangedMarks()
            guard try database.integer("SELECT count(*) FROM temp.sqlite_master WHERE name = 'mark_change'") > 0 else {
                return changes
            }
            try database.forEach("SELECT song FROM mark_change") { row in
                if row.int(0) >= 0 {
                    changes.songs.append(SongID(rawValue: row.int(0)))
                } else {
                    changes.hasOthers = true
                }
            }
            try database.execute(sql: "DELETE FROM mark_change")
            return changes
        }
    }
}
