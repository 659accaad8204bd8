import Foundation
import GRDB
import LibraryIndex
import MusicModel

extension VirtualPlaylist {
    /// The virtual playlists that the configuration may hide, by its words.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case recentlyAdded = "recently_added"
        case recentlyPlayed = "recently_played"
        case mostPlayed = "most_played"
        case starred
        case randomAlbums = "random_albums"
        case radio
        case navidromeQueue = "navidrome_queue"
    }

    /// How many songs a list of songs has at most.
    static let maxSongs = 500
    /// How many songs `[Starred]` has at most; for more there is the filter.
    static let maxStarred = 10_000
    static let albums = 20

    /// Makes one of the playlists; nil for that of a service, which adds it.
    package init?(_ kind: Kind) {
        switch kind {
        case .recentlyAdded: self.init("[Recently added]", changed: Self.newest, list: Self.recentlyAdded)
        case .recentlyPlayed: self.init("[Recently played]", changed: Self.lastPlayed, list: Self.recentlyPlayed)
        case .mostPlayed: self.init("[Most played]", changed: Self.wasPlayed, list: Self.mostPlayed)
        case .starred: self.init("[Starred]", changed: Self.hasStarred, list: Self.starred)
        case .randomAlbums: self.init("[Random albums]", changed: Self.hasAlbums, list: Self.randomAlbums)
        case .radio: self = .radio
        case .navidromeQueue: return nil
        }
    }

    // MARK: Recently added

    @Sendable private static func newest(_ database: Database) throws -> Int64? {
        try database.first("SELECT added FROM song WHERE added IS NOT NULL ORDER BY added DESC") { $0.int(0) }
    }

    /// The newest songs by folder, the folder with the newest song first, and each in the order of the library.
    @Sendable private static func recentlyAdded(_ database: Database) throws -> [QueueItem] {
        var folders: [Int64] = []
        var songs: [Int64: [(id: Int64, walk: Int64)]] = [:]
        try database.forEach(
            """
            SELECT id, directory, walk FROM song WHERE added IS NOT NULL AND walk IS NOT NULL
            ORDER BY added DESC, walk LIMIT \(maxSongs)
            """
        ) { row in
            let folder = row.int(1)
            if songs[folder] == nil { folders.append(folder) }
            songs[folder, default: []].append((row.int(0), row.int(2)))
        }
        return folders.flatMap { folder in
            (songs[folder] ?? []).sorted { $0.walk < $1.walk }.map { .song(SongID(rawValue: $0.id)) }
        }
    }

    // MARK: Stars and plays, which are stickers

    /// When something was played last; nil when nothing ever was.
    @Sendable private static func lastPlayed(_ database: Database) throws -> Int64? {
        try database.first(
            """
            SELECT CAST(t.value AS INT) FROM song_sticker t JOIN song s ON s.id = t.song AND s.walk IS NOT NULL
            WHERE t.name = ? AND CAST(t.value AS INT) > 0 ORDER BY CAST(t.value AS INT) DESC LIMIT 1
            """, MarkConvention.played
        ) { $0.int(0) }
    }

    @Sendable private static func recentlyPlayed(_ database: Database) throws -> [QueueItem] {
        try database.rows(
            """
            SELECT t.song FROM song_sticker t JOIN song s ON s.id = t.song AND s.walk IS NOT NULL
            WHERE t.name = ? AND CAST(t.value AS INT) > 0 ORDER BY CAST(t.value AS INT) DESC LIMIT \(maxSongs)
            """, MarkConvention.played, read: item)
    }

    @Sendable private static func wasPlayed(_ database: Database) throws -> Int64? {
        try hasSticker(MarkConvention.plays, atLeast: 1, database)
            ? try lastPlayed(database) ?? database.integer("SELECT updated FROM library") : nil
    }

    /// The songs with the most plays; of two with as many the one that was played later goes first.
    @Sendable private static func mostPlayed(_ database: Database) throws -> [QueueItem] {
        try database.rows(
            """
            SELECT t.song FROM song_sticker t JOIN song s ON s.id = t.song AND s.walk IS NOT NULL
            LEFT JOIN song_sticker p ON p.song = t.song AND p.name = ?
            WHERE t.name = ? AND CAST(t.value AS INT) > 0
            ORDER BY CAST(t.value AS INT) DESC, CAST(p.value AS INT) DESC, s.walk LIMIT \(maxSongs)
            """, MarkConvention.played, MarkConvention.plays, read: item)
    }

    @Sendable private static func hasStarred(_ database: Database) throws -> Int64? {
        try hasSticker(MarkConvention.like, atLeast: 2, database)
            ? database.integer("SELECT updated FROM library") : nil
    }

    /// Songs starred last go first; those that the server does not know of yet were starred just now.
    @Sendable private static func starred(_ database: Database) throws -> [QueueItem] {
        try database.rows(
            """
            SELECT t.song FROM song_sticker t JOIN song s ON s.id = t.song AND s.walk IS NOT NULL
            LEFT JOIN song_mark m ON m.song = t.song
            WHERE t.name = ? AND CAST(t.value AS INT) >= 2
            ORDER BY nullif(m.starred, 0) DESC NULLS FIRST, s.walk LIMIT \(maxStarred)
            """, MarkConvention.like, read: item)
    }

    private static func hasSticker(_ name: String, atLeast value: Int, _ database: Database) throws -> Bool {
        try database.has(
            """
            SELECT 1 FROM song_sticker t JOIN song s ON s.id = t.song AND s.walk IS NOT NULL
            WHERE t.name = ? AND CAST(t.value AS INT) >= ? LIMIT 1
            """, name, value)
    }

    private static func item(_ row: SQLStatement) -> QueueItem { .song(SongID(rawValue: row.int(0))) }

    // MARK: Random albums

    /// When the present day began, in Unix seconds: the choice stays for the day, so that a client may list it, load it
    /// and come back to it.
    private static var today: Int64 {
        Int64(Calendar(identifier: .gregorian).startOfDay(for: Date()).timeIntervalSince1970)
    }

    static var endOfToday: Int {
        let calendar = Calendar(identifier: .gregorian)
        let today = calendar.startOfDay(for: Date())
        let tomorrow = calendar.date(byAdding: .day, value: 1, to: today) ?? today
        return Int(tomorrow.timeIntervalSince1970)
    }

    @Sendable private static func hasAlbums(_ database: Database) throws -> Int64? {
        try database.has(
            "SELECT 1 FROM value WHERE kind = ? AND (SELECT songs FROM library) > 0", Int64(Tag.album.rawValue))
            ? today : nil
    }

    @Sendable private static func randomAlbums(_ database: Database) throws -> [QueueItem] {
        try RandomAlbums(database, seed: UInt64(bitPattern: today)).pick(albums)
    }
}
