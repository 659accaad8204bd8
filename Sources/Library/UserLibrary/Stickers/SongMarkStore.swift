import GRDB
import LibraryIndex
import MusicModel

/// Keeps what the server knows of songs, and the stickers that show it, inside a write transaction.
struct SongMarkStore {
    /// The server's values when it was asked last; nil is not known.
    struct Base: Hashable {
        var starred: Int64?
        var rating: Int?
        var plays: Int?
        var played: Int64?

        func value(_ field: MarkEdit.Field) -> Int? {
            switch field {
            case .star: starred.map { $0 == 0 ? 0 : 1 }
            case .rating: rating
            }
        }
    }

    private let database: Database
    private let edits: MarkEditStore
    private let stickers: StickerStore
    private let now: Int64
    private(set) var changed = 0
    /// True if something waits for the server that did not before.
    private(set) var hasWork = false

    /// Works in a transaction; `now` is in Unix milliseconds.
    init(_ database: Database, now: Int64) {
        (self.database, self.now) = (database, now)
        edits = MarkEditStore(database)
        stickers = StickerStore(database)
    }

    // MARK: Rows

    func song(_ serverID: String) throws -> Int64? {
        try database.first("SELECT id FROM song WHERE source_id = ? AND source_kind = 0", serverID) { $0.int(0) }
    }

    func serverID(_ song: Int64) throws -> String? {
        try database.first(
            "SELECT ifnull(source_value, source_id) FROM song WHERE id = ? AND source_kind = 0", song
        ) { $0.text(0) }
    }

    /// The server's values under this id for the song; nil if it was never asked.
    func base(_ song: Int64, _ serverID: String) throws -> Base? {
        let base = try database.first(
            "SELECT server_id, starred, rating, plays, played FROM song_mark WHERE song = ?", song
        ) { row -> Base? in
            guard ExactText.equal(row.text(0), serverID) else { return nil }
            return Base(
                starred: row.optionalInt(1), rating: row.optionalInt(2).map(Int.init),
                plays: row.optionalInt(3).map(Int.init), played: row.optionalInt(4))
        }
        return base ?? nil
    }

    func write(_ base: Base, of song: Int64, _ serverID: String) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO song_mark (song, server_id, starred, rating, plays, played)
            VALUES (?, ?, ?, ?, ?, ?)
            """, song, serverID, base.starred, base.rating.map(Int64.init), base.plays.map(Int64.init), base.played)
    }

    // MARK: What the server tells

    /// Takes what the server has of a song.
    /// - Parameters:
    ///   - fields: what of it is known.
    ///   - clock: the number of the newest edit when the server was asked.
    mutating func observe(_ song: Int64, _ marks: ServerSongMarks, fields: MarkFields, clock: Int64) throws {
        let old = try base(song, marks.serverID)
        var new = old ?? Base()
        if fields.contains(.star), try merge(.star, marks.starred == 0 ? 0 : 1, marks, old, song, clock) {
            new.starred = marks.starred
        }
        if fields.contains(.rating), try merge(.rating, min(max(marks.rating, 0), 5), marks, old, song, clock) {
            new.rating = min(max(marks.rating, 0), 5)
        }
        if fields.contains(.plays), try canTakePlays(song, clock) {
            try takePlays(marks, old, song)
            new.plays = marks.plays
            new.played = marks.played
        }
        // A star given again has a newer time, which is all that changes.
        if fields.contains(.star), marks.starred != 0, let starred = new.starred, starred != 0 {
            new.starred = marks.starred
        }
        if new != old { try write(new, of: song, marks.serverID) }
    }

    /// Compares a field; returns whether the server's value is to be kept as what it has.
    private mutating func merge(
        _ field: MarkEdit.Field, _ observed: Int, _ marks: ServerSongMarks, _ base: Base?, _ song: Int64,
        _ clock: Int64
    ) throws -> Bool {
        let target = MarkTarget(song: song)
        let object = StickerObject.song(SongID(rawValue: song))
        let edit = try edits.edit(target, field.rawValue)
        let local = MarkConvention.meaning(field, try stickers.value(MarkConvention.name(field), of: object))
        let merge = MarkMerge(
            observed: observed, starred: field == .star ? marks.starred : 0, base: base?.value(field), local: local,
            edit: edit, clock: clock)
        let verdict = merge.verdict
        if verdict == .agree || verdict == .takeTheirs && (edit != nil || merge.base != nil) {
            // Answers that were asked for before this one, and come later, are older.
            try edits.put(target, field.rawValue, value: observed, edited: now, state: .done)
        }
        switch verdict {
        case .ignore: return false
        case .wait:
            if let edit { try edits.setState(.overtakable, of: edit) }
            return false
        case .agree, .keepOurs: return true
        case .publish:
            try edits.put(target, field.rawValue, value: local ?? 0, edited: now, state: .waiting)
            hasWork = true
            return true
        case .takeTheirs:
            if local != observed { try show(field, observed, object) }
            return true
        }
    }

    private mutating func show(_ field: MarkEdit.Field, _ value: Int, _ object: StickerObject) throws {
        let name = MarkConvention.name(field)
        let change =
            if let text = MarkConvention.text(field, value) {
                try stickers.set(name, of: object, to: text)
            } else {
                try stickers.delete(name, of: object)
            }
        if change != nil { changed += 1 }
    }

    // MARK: Plays

    /// True if an answer can be told apart from the plays that were reported meanwhile.
    private func canTakePlays(_ song: Int64, _ clock: Int64) throws -> Bool {
        if try database.has("SELECT 1 FROM play WHERE song = ?", song) { return false }
        guard let reported = try edits.edit(MarkTarget(song: song), MarkEditStore.plays) else { return true }
        return reported.number <= clock
    }

    /// Adds the plays that the server has counted since; what clients counted beyond stays.
    private mutating func takePlays(_ marks: ServerSongMarks, _ base: Base?, _ song: Int64) throws {
        let object = StickerObject.song(SongID(rawValue: song))
        if base?.plays != marks.plays {
            let shown = try stickers.value(MarkConvention.plays, of: object).map(MarkConvention.plays)
            let theirs = Int64(marks.plays).clamped(to: MarkConvention.plausiblePlays)
            var plays = theirs
            if let shown {
                let known = base?.plays.map { Int64($0).clamped(to: MarkConvention.plausiblePlays) }
                // A server that knows of fewer plays than before was restored; what was heard was heard.
                plays = known.map { shown + max(0, theirs - $0) } ?? max(shown, theirs)
            }
            try show(MarkConvention.plays, plays.clamped(to: MarkConvention.plausiblePlays), shown: shown, object)
        }
        if base?.played != marks.played {
            let shown = try stickers.value(MarkConvention.played, of: object).flatMap { Int64($0) }
            try show(MarkConvention.played, max(shown ?? 0, marks.played), shown: shown, object)
        }
    }

    private mutating func show(_ name: String, _ number: Int64, shown: Int64?, _ object: StickerObject) throws {
        if number == shown ?? 0 { return }
        if try stickers.set(name, of: object, to: String(number)) != nil { changed += 1 }
    }
}
