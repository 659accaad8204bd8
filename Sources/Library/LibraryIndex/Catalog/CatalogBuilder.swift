import Coordination
import GRDB
import MusicModel

/// Reads the songs once and puts them together to albums, artists and genres.
struct CatalogBuilder {
    private struct Key: Hashable {
        var artist: Int64
        var title: Int64
    }

    private struct Draft {
        var key: Key
        var year = 0
        var added: Int64 = 0
        var milliseconds: Int64 = 0
        var pictureVersion: UInt32 = 0
        /// Disc and track in front, so that sorting puts them in order.
        var songs: [UInt64] = []
        var genres: Set<Int64> = []
    }

    private var texts: [Int64: String] = [:]
    private var canonicalNames: [Int64: Int64] = [:]
    private var firstNames: [ExactText: Int64] = [:]
    private var drafts: [Key: Draft] = [:]
    private var loose: [UInt32] = []
    private var genreSongs: [Int64: Int] = [:]
    private let textRow: SQLStatement

    private init(_ database: Database) throws {
        textRow = try SQLStatement(database, "SELECT text FROM value WHERE id = ?")
    }

    static func build(_ database: Database, generation: Int64, _ order: WalkOrder) throws -> Catalog {
        var builder = try CatalogBuilder(database)
        try database.forEach(
            """
            SELECT id, tags, ifnull(duration, 0), ifnull(added, 0), cover, ifnull(modified, 0)
            FROM song INDEXED BY song_walk WHERE walk IS NOT NULL ORDER BY walk
            """
        ) { row in
            guard order.all.contains(row.int(0)) else { return }
            try Task.checkCancellation()
            try builder.take(row)
        }
        return try builder.catalog(generation, maxSongSize: order.durations.count)
    }

    private mutating func take(_ row: SQLStatement) throws {
        let items = TagList.decode(row.bytes(1))
        func first(_ tag: Tag) -> Int64? { items.first { $0.tag == tag }?.value }
        let song = UInt32(clamping: row.int(0))
        for item in items where item.tag == .genre { genreSongs[item.value, default: 0] += 1 }
        guard let title = first(.album) else {
            loose.append(song)
            return
        }
        let artist = try (first(.albumArtist) ?? first(.artist)).map { try canonical($0) } ?? 0
        let key = Key(artist: artist, title: title)
        let disc = try first(.disc).map { try number($0) } ?? 0
        let track = try first(.track).map { try number($0) } ?? 0
        let year = try (first(.originalDate) ?? first(.date)).flatMap { DateText.year(of: try text($0)) } ?? 0
        var draft = drafts.removeValue(forKey: key) ?? Draft(key: key)
        if draft.songs.isEmpty { draft.pictureVersion = Self.pictureVersion(row) }
        draft.songs.append(
            UInt64(clamping: min(disc, 0xFFF)) << 48 | UInt64(clamping: min(track, 0xFFFF)) << 32 | UInt64(song))
        if draft.year == 0 || (year > 0 && year < draft.year) { draft.year = year }
        draft.added = max(draft.added, row.int(3))
        draft.milliseconds = draft.milliseconds.addingClamped(max(0, row.int(2)))
        for item in items where item.tag == .genre { draft.genres.insert(item.value) }
        drafts[key] = draft
    }

    /// The server's name of a picture moves with it; a file's picture with the file.
    private static func pictureVersion(_ row: SQLStatement) -> UInt32 {
        var hash = FNV1a()
        hash.combine(row.optionalText(4) ?? String(row.int(5)))
        return UInt32(truncatingIfNeeded: hash.folded)
    }

    private mutating func text(_ value: Int64) throws -> String {
        if let text = texts[value] { return text }
        let text = try textRow.first(value) { $0.text(0) } ?? ""
        texts[value] = text
        return text
    }

    /// One number for a name, which has another one as artist and as album artist.
    private mutating func canonical(_ value: Int64) throws -> Int64 {
        if let known = canonicalNames[value] { return known }
        let name = ExactText(try text(value))
        let number = firstNames[name] ?? value
        (firstNames[name], canonicalNames[value]) = (number, number)
        return number
    }

    /// The number at the start of a text; no year, disc or track is larger.
    private mutating func number(_ value: Int64) throws -> Int {
        Int(max(0, min(leadingNumber(try text(value)), 99_999)))
    }

    private mutating func catalog(_ generation: Int64, maxSongSize: Int) throws -> Catalog {
        var names: [(draft: Draft, title: String, artist: String)] = []
        for draft in drafts.values {
            let title = try text(draft.key.title)
            let artist = draft.key.artist == 0 ? "" : try text(draft.key.artist)
            names.append((draft, title, artist))
        }
        let artistNames = Set(names.map { ExactText($0.artist) }).map(\.text).sorted(by: Collation.precedes)
        var indices: [ExactText: Int] = [:]
        var artists = artistNames.map { Catalog.Artist(id: Catalog.id($0, ""), name: $0) }
        for (index, name) in artistNames.enumerated() { indices[ExactText(name)] = index }
        let sorted = names.map { (artist: indices[ExactText($0.artist)] ?? 0, name: $0) }
            .sorted { left, right in
                (left.artist, left.name.draft.year) == (right.artist, right.name.draft.year)
                    ? Collation.precedes(left.name.title, right.name.title)
                    : (left.artist, left.name.draft.year) < (right.artist, right.name.draft.year)
            }
        var albums: [Catalog.Album] = []
        var songs: [UInt32] = []
        var albumOfSong = [UInt32](repeating: 0, count: maxSongSize)
        for (artistPlace, (draft, title, artist)) in sorted {
            let start = songs.count
            for song in draft.songs.sorted() {
                let number = UInt32(truncatingIfNeeded: song)
                songs.append(number)
                if Int(number) < maxSongSize { albumOfSong[Int(number)] = UInt32(albums.count) + 1 }
            }
            artists[artistPlace].songs += draft.songs.count
            artists[artistPlace].albums.append(albums.count)
            albums.append(
                Catalog.Album(
                    id: Catalog.id(artist, title), title: title, artist: artist, artistPlace: artistPlace,
                    year: draft.year, added: draft.added, duration: .milliseconds(draft.milliseconds),
                    pictureVersion: draft.pictureVersion, songs: start..<songs.count))
        }
        songs += loose
        return Catalog(
            generation: generation, albums: albums, artists: artists, genres: try genres(names.map(\.draft)),
            songs: songs, albumOfSong: albumOfSong)
    }

    private mutating func genres(_ drafts: [Draft]) throws -> [Catalog.Genre] {
        var albums: [Int64: Int] = [:]
        for draft in drafts { for genre in draft.genres { albums[genre, default: 0] += 1 } }
        var genres: [Catalog.Genre] = []
        for (value, songs) in genreSongs {
            genres.append(Catalog.Genre(name: try text(value), songs: songs, albums: albums[value] ?? 0))
        }
        return genres.sorted { Collation.precedes($0.name, $1.name) }
    }
}
