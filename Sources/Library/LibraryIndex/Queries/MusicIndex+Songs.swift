import GRDB
package import MPDProtocol
package import MusicModel
import Synchronization

extension MusicIndex {
    /// The figures of `stats` for the library.
    package func statistics(isolation: isolated (any Actor)? = #isolation) async throws -> LibraryStatistics {
        let writes = database.writeCount
        if let known = cache.statistics(at: writes) { return known }
        let statistics = try await read { [cache] database in
            try Self.statistics(database, try cache.names(database))
        }
        cache.keep(statistics, at: writes)
        return statistics
    }

    /// The last second of the year 9999, since 1970.
    private static let latestUpdate: Int64 = 253_402_300_799

    private static func statistics(
        _ database: Database, _ names: (artists: Int, albums: Int)
    ) throws -> LibraryStatistics {
        try database.first("SELECT songs, playtime, updated FROM library") { row in
            // A damaged database may have any numbers here.
            LibraryStatistics(
                artists: names.artists, albums: names.albums, songs: Int(row.int(0).clamped(to: 0...Int64(1) << 31)),
                playtime: .milliseconds(max(0, row.int(1))), updated: row.int(2).clamped(to: 0...latestUpdate))
        } ?? LibraryStatistics(artists: 0, albums: 0, songs: 0, playtime: .zero, updated: 0)
    }

    /// The song at exactly this path.
    package func song(at uri: String, isolation: isolated (any Actor)? = #isolation) async throws -> Song? {
        try await readOne { database -> Song? in
            try TreeLookup(database).song(at: uri).flatMap { try SongReader(database).song($0) }
        }
    }

    /// These songs; nil for those that are gone, unless they are wanted as they were last.
    @concurrent
    package func songs(_ ids: [SongID], alsoGone: Bool = false) async throws -> [Song?] {
        try await read { try SongReader($0, alsoGone: alsoGone).songs(ids.map(\.rawValue)) }
    }

    /// The songs that cue sheets hide, which no search finds.
    @concurrent
    package func hiddenSongs() async throws -> [SongID] {
        try await read { database in
            try database.rows("SELECT id FROM hidden_song ORDER BY id") { SongID(rawValue: $0.int(0)) }
        }
    }

    /// Text for the songs of a listing, with the tags of `mask`.
    package func text(
        of listing: SongListing, mask: TagMask, isolation: isolated (any Actor)? = #isolation
    ) async throws -> AnswerCursor {
        let work = AnswerWork.items([.listing(listing, mask)])
        if listing.count <= Self.few, let cursor = memory?.cursor(work) { return cursor }
        return try await readFew { database in
            listing.count <= Self.few ? try AnswerCursor(self, work, database) : nil
        } orElse: { [self] database in
            try AnswerCursor(self, work, database)
        }
    }

    /// How many songs are few enough to be read on the caller's thread.
    package static let few = 128

    /// Where a song's bytes come from; nil when it is gone.
    @concurrent
    package func source(of id: SongID) async throws -> (source: SongSource, suffix: String, size: Int64?)? {
        try await read { database in
            try database.first(
                """
                SELECT source_kind, ifnull(source_value, source_id), suffix, size FROM song
                WHERE id = ? AND uri IS NOT NULL
                """, id.rawValue
            ) { (SongSource(kind: $0.int(0), value: $0.text(1)), $0.text(2), $0.optionalInt(3)) }
        }
    }

    /// The songs whose bytes are where `isWanted` says, by their sources, suffixes and sizes.
    @concurrent
    package func songs(
        whoseSource isWanted: @escaping @Sendable (SongSource, _ suffix: String, _ size: Int64?) -> Bool
    ) async throws -> Set<SongID> {
        try await read { database in
            var songs: Set<SongID> = []
            try database.forEach(
                "SELECT source_kind, ifnull(source_value, source_id), suffix, size, id FROM song WHERE walk IS NOT NULL"
            ) { row in
                let source = SongSource(kind: row.int(0), value: row.text(1))
                if isWanted(source, row.text(2), row.optionalInt(3)) { songs.insert(SongID(rawValue: row.int(4))) }
            }
            return songs
        }
    }

    /// Where the picture of a song is, or of a directory: that of the first song inside.
    @concurrent
    package func pictureSource(at uri: String, isDirectory: Bool) async throws -> PictureSource? {
        try await read { database in
            isDirectory
                ? try Self.pictureOfDirectory(uri, database)
                : try TreeLookup(database).song(at: uri).flatMap { try Self.pictureOfSong($0, database) }
        }
    }

    private static func pictureOfSong(_ id: Int64, _ database: Database) throws -> PictureSource? {
        try database.first(
            "SELECT source_kind, ifnull(source_value, source_id), cover FROM song WHERE id = ?", id
        ) { row -> PictureSource? in
            switch SongSource(kind: row.int(0), value: row.text(1)) {
            case .navidrome, .navidromePart: row.optionalText(2).map { .navidrome(coverArtID: $0) }
            case .localFile(let path), .localPart(let path, _): .local(songPath: path)
            }
        } ?? nil
    }

    private static func pictureOfDirectory(_ path: String, _ database: Database) throws -> PictureSource? {
        let lookup = try TreeLookup(database)
        guard let directory = try lookup.directory(at: path) else { return nil }
        let numbers = try lookup.numbers(below: directory)
        guard
            let (song, walk) = try database.first(
                "SELECT id, walk FROM song INDEXED BY song_walk WHERE walk >= ? AND walk < ? ORDER BY walk LIMIT 1",
                numbers.lowerBound << Schema.positionBits, (numbers.upperBound + 1) << Schema.positionBits,
                read: { ($0.int(0), $0.int(1)) })
        else { return nil }
        let picture = try pictureOfSong(song, database)
        guard case .local(let songPath) = picture, walk >> Schema.positionBits == directory.number else {
            return picture
        }
        guard let slash = songPath.utf8.lastIndex(of: 0x2F) else { return picture }
        return .localFolder(path: String(songPath[..<slash]))
    }

    /// These songs with the fields for the queue; those that are gone are absent.
    @concurrent
    package func queueable(_ ids: [SongID]) async throws -> [SongID: QueueableSong] {
        try await read { database in
            let songs = try SongReader(database).queueable(ids.map { UInt32(clamping: $0.rawValue) }[...])
            return Dictionary(songs.map { ($0.id, $0) }) { first, _ in first }
        }
    }
}

extension SongSource {
    init(kind: Int64, value: String) {
        switch kind {
        case 0: self = .navidrome(id: value)
        case 2: self = Self.part(value) { .localPart(path: $0, range: $1) } ?? .localFile(path: value)
        case 3: self = Self.part(value) { .navidromePart(id: $0, range: $1) } ?? .navidrome(id: value)
        default: self = .localFile(path: value)
        }
    }

    /// Reads a part: where it begins and ends in nanoseconds, and the file's path or the server's id.
    private static func part(_ value: String, _ make: (String, SongRange) -> SongSource) -> SongSource? {
        let parts = value.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let start = Int64(parts[0]), start >= 0 else { return nil }
        let range = SongRange(start: .nanoseconds(start), end: Int64(parts[1]).map { .nanoseconds($0) })
        return range.map { make(String(parts[2]), $0) }
    }

    var stored: (kind: Int64, value: String) {
        switch self {
        case .navidrome(let id): (0, id)
        case .localFile(let path): (1, path)
        case .localPart(let path, let range): (2, Self.text(range, of: path))
        case .navidromePart(let id, let range): (3, Self.text(range, of: id))
        }
    }

    private static func text(_ range: SongRange, of whole: String) -> String {
        "\(range.start.wholeNanoseconds) \(range.end.map { String($0.wholeNanoseconds) } ?? "") \(whole)"
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int64 {
        components.seconds.multipliedClamped(by: 1_000_000_000).addingClamped(components.attoseconds / 1_000_000_000)
    }
}
