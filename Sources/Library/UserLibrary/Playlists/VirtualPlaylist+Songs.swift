import Coordination
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

    @Sendable private static func newest(_ database: Database) throws -> Int64? {
        try database.first("SELECT added FROM song WHERE added IS NOT NULL ORDER BY added DESC") { $0.int(0) }
    }

    /// The newest songs by folder, the folder with the newest song first, and each in the order of the library.
    @Sendable private static func recentlyAdded(_ database: Database) throws -> [QueueItem] {
        try database.rows(
            """
            SELECT id FROM (
                SELECT id, walk, first_value(added) OVER folder AS newest, first_value(walk) OVER folder AS place FROM (
                    SELECT id, directory, walk, added FROM song WHERE added IS NOT NULL AND walk IS NOT NULL
                    ORDER BY added DESC, walk LIMIT \(maxSongs))
                WINDOW folder AS (PARTITION BY directory ORDER BY added DESC, walk))
            ORDER BY newest DESC, place, walk
            """, read: item)
    }

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

    private static var today: Int64 { Int64(midnight(after: 0).timeIntervalSince1970) }
    static var endOfToday: Int { Int(midnight(after: 1).timeIntervalSince1970) }

    private static func midnight(after days: Int) -> Date {
        let calendar = Calendar(identifier: .gregorian)
        let today = calendar.startOfDay(for: Date())
        return calendar.date(byAdding: .day, value: days, to: today) ?? today
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

/// Picks albums by chance, the same ones for the same seed as long as the library stays.
struct RandomAlbums {
    private let database: Database
    private let seed: UInt64
    init(_ database: Database, seed: UInt64) { (self.database, self.seed) = (database, seed) }

    func pick(_ count: Int) throws -> [QueueItem] {
        var items: [QueueItem] = []
        var found = 0
        // Titles stay in the index when their last song goes.
        for title in try titles(count * 2) where found < count {
            let songs = try album(title)
            if songs.isEmpty { continue }
            items += songs.map { .song(SongID(rawValue: $0)) }
            found += 1
        }
        return items
    }

    private func titles(_ count: Int) throws -> [Int64] {
        try database.rows("SELECT id FROM value WHERE kind = ?", Int64(Tag.album.rawValue)) { $0.int(0) }
            .map { (rank: rank($0), id: $0) }.sorted { $0.rank < $1.rank }.prefix(count).map(\.id)
    }

    /// The songs of one album with this title: several artists may have one, and one of them is picked.
    private func album(_ title: Int64) throws -> [Int64] {
        let songs = try database.rows(
            """
            SELECT s.id, s.tags FROM song_value v JOIN song s ON s.id = v.song
            WHERE v.value = ? AND s.walk IS NOT NULL ORDER BY s.walk
            """, title
        ) { row in
            // Without an album artist the songs of one title belong together, as on samplers.
            (id: row.int(0), artist: TagList.decode(row.bytes(1)).first { $0.tag == .albumArtist }?.value ?? 0)
        }
        let albums = Dictionary(grouping: songs, by: \.artist)
        return albums.min { rank($0.key) < rank($1.key) }?.value.map(\.id) ?? []
    }

    private func rank(_ number: Int64) -> UInt64 { SplitMix64.number(at: UInt64(bitPattern: number), seed: seed) }
}
