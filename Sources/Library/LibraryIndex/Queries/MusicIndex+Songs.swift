import Coordination
import GRDB
package import MPDProtocol
package import MusicModel

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
    package func songs(_ ids: [SongID], alsoGone: Bool = false) async throws -> [Song?] {
        try await read { try SongReader($0, alsoGone: alsoGone).songs(ids.map(\.rawValue)) }
    }

    /// The songs that cue sheets hide, which no search finds.
    package func hiddenSongs() async throws -> [SongID] {
        try await database.rows("SELECT id FROM hidden_song ORDER BY id") { SongID(rawValue: $0.int(0)) }
    }

    /// Text for the songs of a listing, with the tags of `mask`.
    package func text(
        of listing: SongListing, mask: TagMask, isolation: isolated (any Actor)? = #isolation
    ) async throws -> AnswerCursor {
        let items = [AnswerWork.Item.listing(listing, mask)]
        guard listing.count <= Self.few else { return try await read { [self] in try AnswerCursor(self, items, $0) } }
        if let cursor = memory?.cursor(items) { return cursor }
        return try await readOne { [self] in try AnswerCursor(self, items, $0) }
    }

    /// How many songs are few enough to be read on the caller's thread.
    package static let few = 128

    /// Where a song's bytes come from; nil when it is gone.
    package func source(of id: SongID) async throws -> (source: SongSource, suffix: String, size: Int64?)? {
        try await database.first(
            """
            SELECT source_kind, ifnull(source_value, source_id), suffix, size FROM song
            WHERE id = ? AND uri IS NOT NULL
            """, id.rawValue
        ) { (SongSource(kind: $0.int(0), value: $0.text(1)), $0.text(2), $0.optionalInt(3)) }
    }

    /// The songs whose bytes are where `isWanted` says, by their sources, suffixes and sizes.
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
    package func pictureSource(at uri: String, isDirectory: Bool) async throws -> PictureSource? {
        try await read { database in
            isDirectory
                ? try Self.pictureOfDirectory(uri, database)
                : try TreeLookup(database).song(at: uri).flatMap { try Self.pictureOfSong($0, database) }
        }
    }

    static func pictureOfSong(_ id: Int64, _ database: Database) throws -> PictureSource? {
        try database.first(
            "SELECT source_kind, ifnull(source_value, source_id), cover FROM song WHERE id = ? AND uri IS NOT NULL", id
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
    package func queueable(_ ids: [SongID]) async throws -> [SongID: QueueableSong] {
        try await read { [self] database in
            let songs = try queueable(ids.map { UInt32(clamping: $0.rawValue) }[...], database)
            return Dictionary(songs.map { ($0.id, $0) }) { first, _ in first }
        }
    }

    /// The server's ids of those of the songs that are the server's.
    package func serverIDs(_ songs: [SongID]) async throws -> [SongID: String] {
        try await read { database in
            let row = try SQLStatement(
                database,
                "SELECT ifnull(source_value, source_id) FROM song WHERE id = ? AND source_kind = 0")
            var ids: [SongID: String] = [:]
            for song in songs where ids[song] == nil {
                if let id = try row.first(song.rawValue, read: { $0.text(0) }) { ids[song] = id }
            }
            return ids
        }
    }

    /// The songs with these ids on the server, those that it still has.
    package func songIDs(ofServerSongs serverIDs: [String]) async throws -> [String: SongID] {
        try await read { database in
            let row = try SQLStatement(
                database, "SELECT id FROM song WHERE source_id = ? AND source_kind = 0 AND uri IS NOT NULL")
            var songs: [String: SongID] = [:]
            for serverID in serverIDs where songs[serverID] == nil {
                if let id = try row.first(serverID, read: { SongID(rawValue: $0.int(0)) }) { songs[serverID] = id }
            }
            return songs
        }
    }

    /// The server's ids of the songs that have been here longest, to see whether the server still knows them.
    package func oldestServerSongs(limit: Int) async throws -> [String] {
        try await database.rows(
            """
            SELECT ifnull(source_value, source_id) FROM song WHERE source_kind = 0 AND walk IS NOT NULL
            ORDER BY id LIMIT ?
            """, limit
        ) { $0.text(0) }
    }

    /// Where the picture of a song's album is: that of the first song of the same album in its folder.
    package func albumPictureSource(ofSongAt uri: String) async throws -> PictureSource? {
        try await read { database in
            guard let id = try TreeLookup(database).song(at: uri) else { return nil }
            return try Self.albumPicture(of: id, database)
        }
    }

    /// The server's ids of the pictures of these songs' albums, each once, in the order of the songs.
    package func albumCovers(of songs: [SongID]) async throws -> [String] {
        try await read { database in
            var seen: Set<String> = []
            return try songs.compactMap { song in
                guard case .navidrome(let cover) = try Self.albumPicture(of: song.rawValue, database),
                    seen.insert(cover).inserted
                else { return nil }
                return cover
            }
        }
    }

    private static func albumPicture(of song: Int64, _ database: Database) throws -> PictureSource? {
        let own = try pictureOfSong(song, database)
        if case .local = own { return own }
        let album = try database.first(
            "SELECT walk, tags FROM song WHERE id = ?", song
        ) { row in (walk: row.optionalInt(0), title: TagList.decode(row.bytes(1)).first { $0.tag == .album }?.value) }
        // A song that a cue sheet hides has no folder.
        guard let walk = album?.walk, let title = album?.title else { return own }
        let folder = walk >> Schema.positionBits
        let cover = try database.first(
            """
            SELECT cover FROM (SELECT id, cover, source_kind, walk FROM song INDEXED BY song_walk
                WHERE walk >= ? AND walk < ? ORDER BY walk LIMIT \(maxSongs))
            WHERE source_kind = 0 AND cover IS NOT NULL AND id IN (SELECT song FROM song_value WHERE value = ?)
            ORDER BY walk LIMIT 1
            """, folder << Schema.positionBits, (folder + 1) << Schema.positionBits, title
        ) { $0.text(0) }
        return cover.map { .navidrome(coverArtID: $0) } ?? own
    }

    /// How many songs of a folder are checked; beyond that a song has its own picture.
    private static let maxSongs = 100

    /// The numbers of a song, or of all songs below a directory in tree order.
    /// - Throws: `LibraryError.noSuchDirectory`.
    package func songIDs(below uri: String, isolation: isolated (any Actor)? = #isolation) async throws -> [SongID] {
        if let songs = memory?.songs(below: uri) { return songs.map { SongID(rawValue: Int64($0)) } }
        return try await queueable(below: uri).map(\.id)
    }

    /// The number of the song at exactly this path; nil when there is none.
    package func songID(at uri: String, isolation: isolated (any Actor)? = #isolation) async throws -> SongID? {
        if let song = memory?.song(at: uri) { return SongID(rawValue: Int64(song)) }
        return try await readOne { try TreeLookup($0).song(at: uri).map(SongID.init(rawValue:)) }
    }

    /// The numbers of the songs at exactly these paths; nil where there is none.
    package func songIDs(at uris: [String]) async throws -> [SongID?] {
        try await read { database in
            let lookup = try TreeLookup(database)
            return try uris.map { try lookup.song(at: $0).map(SongID.init(rawValue:)) }
        }
    }

    /// The song at exactly this path, with the fields for the queue; nil when there is none.
    package func queueableSong(
        at uri: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> QueueableSong? {
        if let song = memory?.queueableSong(at: uri) { return song }
        guard let song = try await song(at: uri), let id = song.id else { return nil }
        return QueueableSong(id: id, duration: song.duration, replayGain: song.replayGain)
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
        "\(Nanoseconds(range.start).count) \(range.end.map { String(Nanoseconds($0).count) } ?? "") \(whole)"
    }
}

extension QueueableSong {
    init(_ song: UInt32, _ order: WalkOrder, _ gains: GainColumn) {
        let duration = order.durations[Int(song)]
        self.init(
            id: SongID(rawValue: Int64(song)), duration: duration < 0 ? nil : .milliseconds(duration),
            replayGain: gains.gain(of: song))
    }
}
