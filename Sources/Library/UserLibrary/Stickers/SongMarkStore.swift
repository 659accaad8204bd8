import GRDB
import LibraryIndex
import MusicModel

/// Keeps what the server knows of songs, and the stickers that show it, inside a write transaction.
struct SongMarkStore {
    /// The server's values when it was asked last; nil is not known.
    struct Base: Hashable {
        var marks = MarkBase()
        var plays: Int?
        var played: Int64?
    }

    private let database: Database
    private let edits: MarkEditStore
    private let stickers: StickerStore
    private let now: Int64
    private(set) var changed = 0
    private(set) var hasWork = false

    init(_ database: Database, now: Int64) {
        (self.database, self.now) = (database, now)
        edits = MarkEditStore(database)
        stickers = StickerStore(database)
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
                marks: MarkBase(starred: row.optionalInt(1), rating: row.optionalInt(2).map(Int.init)),
                plays: row.optionalInt(3).map(Int.init), played: row.optionalInt(4))
        }
        return base ?? nil
    }

    func write(_ base: Base, of song: Int64, _ serverID: String) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO song_mark (song, server_id, starred, rating, plays, played)
            VALUES (?, ?, ?, ?, ?, ?)
            """, song, serverID, base.marks.starred, base.marks.rating, base.plays, base.played)
    }

    /// Takes what the server has of a song: `fields` of it, as of the edit `clock`.
    mutating func observe(_ song: Int64, _ marks: ServerSongMarks, fields: MarkFields, clock: Int64) throws {
        let object = StickerObject.song(SongID(rawValue: song))
        let observed = MarkBase(starred: marks.starred, rating: marks.rating)
        let old = try base(song, marks.serverID)
        var new = old ?? Base()
        let outcome = try edits.decide(
            observed, of: MarkTarget(song: song), fields: fields, &new.marks, clock: clock, now: now
        ) { MarkConvention.meaning($0, try stickers.value(MarkConvention.name($0), of: object)) }
        hasWork = hasWork || outcome.hasWork
        for field in outcome.taken {
            if try stickers.show(field, observed.value(field) ?? 0, of: object) { changed += 1 }
        }
        if fields.contains(.plays), try canTakePlays(song, clock) {
            try takePlays(marks, old, song)
            (new.plays, new.played) = (marks.plays, marks.played)
        }
        if new != old { try write(new, of: song, marks.serverID) }
    }

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
