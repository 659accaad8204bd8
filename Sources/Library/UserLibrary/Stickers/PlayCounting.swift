import GRDB
import LibraryIndex
import MusicModel

/// Counts plays in stickers, each once, although clients such as myMPD count them as well: a client's count of a play
/// that was counted here is an echo and changes nothing, and so is ours of a play that a client counted first.
struct PlayCounting {
    enum Writing {
        /// The number of further plays.
        case more
        /// The new number, one larger than the one it has read.
        case total
    }

    /// How long after a play counts a client may still count it, beyond the song's length.
    private static let tolerance: Int64 = 120_000
    /// The length that songs of unknown length get, in milliseconds.
    private static let unknownLength: Int64 = 600_000
    /// How long a client's count waits for ours; pauses may lie between.
    private static let clientsLead: Int64 = 86_400_000

    private let database: Database
    private let stickers: StickerStore
    private let now: Int64

    init(_ database: Database, now: Int64) {
        (self.database, self.now) = (database, now)
        stickers = StickerStore(database)
    }

    /// Counts a play that goes to the server, which began at a time in Unix milliseconds.
    func count(_ song: SongID, started: Int64) throws {
        guard let length = try length(of: song) else { return }
        let object = StickerObject.song(song)
        try forgetOld()
        if let echo = try echo(of: song), echo.isClients, echo.counted >= started {
            try forget(song)
        } else {
            let shown = MarkConvention.plays(try stickers.value(MarkConvention.plays, of: object))
            let counted = (shown + 1).clamped(to: MarkConvention.plausiblePlays)
            _ = try stickers.set(MarkConvention.plays, of: object, to: String(counted))
            try remember(song, isClients: false, until: now.addingClamped(length).addingClamped(Self.tolerance))
        }
        let played = try stickers.value(MarkConvention.played, of: object).flatMap { Int64($0) } ?? 0
        if played < started / 1000 {
            _ = try stickers.set(MarkConvention.played, of: object, to: String(started / 1000))
        }
    }

    /// True if a client's count is an echo of ours; one that isn't is remembered, because ours may follow.
    func absorbs(_ value: String, as writing: Writing, of object: StickerObject) throws -> Bool {
        guard case .song(let song) = object, try length(of: song) != nil else { return false }
        let shown = MarkConvention.plays(try stickers.value(MarkConvention.plays, of: object))
        guard Int64(value) == (writing == .more ? 1 : shown + 1) else { return false }
        if let echo = try echo(of: song), !echo.isClients, echo.until >= now {
            try forget(song)
            return true
        }
        try remember(song, isClients: true, until: now + Self.clientsLead)
        return false
    }

    /// The song's length in milliseconds; nil for songs that are not the server's, whose plays are not counted here.
    private func length(of song: SongID) throws -> Int64? {
        try database.first(
            "SELECT ifnull(duration, \(Self.unknownLength)) FROM song WHERE id = ? AND source_kind = 0", song.rawValue
        ) { $0.int(0) }
    }

    private func echo(of song: SongID) throws -> (isClients: Bool, counted: Int64, until: Int64)? {
        try database.first(
            "SELECT is_clients, counted, until FROM play_echo WHERE song = ?", song.rawValue
        ) { ($0.int(0) != 0, $0.int(1), $0.int(2)) }
    }

    private func remember(_ song: SongID, isClients: Bool, until: Int64) throws {
        try database.run(
            "INSERT OR REPLACE INTO play_echo (song, is_clients, counted, until) VALUES (?, ?, ?, ?)", song.rawValue,
            isClients ? 1 : 0, now, until)
    }

    private func forget(_ song: SongID) throws {
        try database.run("DELETE FROM play_echo WHERE song = ?", song.rawValue)
    }

    private func forgetOld() throws { try database.run("DELETE FROM play_echo WHERE until < ?", now) }
}
