import GRDB
package import LibraryIndex
import MusicModel

// Stars, ratings and plays: what the server knows of them, and what it does not have yet.
//
// Clients see them as stickers, which this keeps as the server has them: `like` 2, `rating`, `playCount`, `lastPlayed`.

extension Library {
    /// The number of the newest edit. A task that asks the server for marks takes it first, so that an answer that is
    /// older than an edit can't undo it.
    @concurrent
    package func markClock() async throws -> Int64 { try await read { try MarkEditStore($0).clock() } }

    /// Takes what the server has of songs; nothing is written where it is what is known.
    /// - Parameters:
    ///   - marks: the songs that the server told of; unknown ones are ignored.
    ///   - fields: what of them it told.
    ///   - others: what the songs that it did not tell of don't have.
    ///   - clock: what `markClock` said before the server was asked.
    /// - Returns: whether a sticker changed.
    @concurrent
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

    /// Takes what the server has of albums or artists; nothing is written where it is what is known.
    /// - Parameters:
    ///   - kind: `album` or `artist`.
    ///   - marks: those that the server told of.
    ///   - fields: what of them it told.
    ///   - others: what those that it did not tell of don't have.
    ///   - isCatalog: whether those that it did not tell of don't exist.
    ///   - clock: what `markClock` said before the server was asked.
    /// - Returns: whether a sticker changed.
    @concurrent
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

    // MARK: Another server

    /// Takes the server for one that was never asked about albums and artists: its database is new. A rebuilt
    /// Navidrome gives albums the ids that they had, without their stars.
    @concurrent
    package func forgetServerCatalog() async throws {
        try await write { try SQLStatement($0, "UPDATE catalog_mark SET starred = NULL, rating = NULL").run() }
    }

    // MARK: Edits

    /// The oldest edits that the server does not have yet.
    @concurrent
    package func waitingMarkEdits(limit: Int) async throws -> [MarkEdit] {
        try await read { try MarkEditStore($0).waiting(limit: limit) }
    }

    /// Notes that these edits are being sent, before they are: what the server shows from now on may be their effect.
    /// - Returns: those that are still wanted. Others were replaced since they were read; the later ones wait.
    @concurrent
    package func beginMarkEdits(_ edits: [MarkEdit]) async throws -> [MarkEdit] {
        try await write { database in
            let store = MarkEditStore(database)
            return try edits.filter { try store.send(number: $0.number) }
        }
    }

    /// Notes that the server has these edits. An edit made meanwhile in place of one of them keeps waiting.
    @concurrent
    package func finishMarkEdits(_ edits: [MarkEdit]) async throws {
        let now = UnixTime.milliseconds
        try await write { database in
            let finishing = MarkFinishing(database, now: now)
            for edit in edits { try finishing.finish(edit) }
            try finishing.forgetOld()
        }
    }

    /// Forgets an edit that the server never takes; the sticker stays as it is.
    @concurrent
    package func discardMarkEdit(_ edit: MarkEdit) async throws {
        try await write { try $0.run("DELETE FROM mark_edit WHERE number = ?", edit.number) }
    }
}
