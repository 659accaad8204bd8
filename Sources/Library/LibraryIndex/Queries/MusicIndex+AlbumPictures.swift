import GRDB
package import MusicModel

/// Pictures of albums: songs of one album in one folder share one, so that it is fetched once.
extension MusicIndex {
    /// Where the picture of a song's album is: that of the first song of the same album in its folder; nil when there
    /// is none or no such song.
    @concurrent
    package func albumPictureSource(ofSongAt uri: String) async throws -> PictureSource? {
        try await read { database in
            guard let id = try TreeLookup(database).song(at: uri) else { return nil }
            return try AlbumPictures(database).source(of: id)
        }
    }

    /// The server's ids of the pictures of these songs' albums, each once, in the order of the songs.
    @concurrent
    package func albumCovers(of songs: [SongID]) async throws -> [String] {
        try await read { database in
            let pictures = try AlbumPictures(database)
            var seen: Set<String> = []
            return try songs.compactMap { song in
                guard case .navidrome(let cover) = try pictures.source(of: song.rawValue), seen.insert(cover).inserted
                else { return nil }
                return cover
            }
        }
    }
}

private struct AlbumPictures {
    private struct Row {
        var id: Int64
        var source: SongSource
        var cover: String?
        /// The number of its folder; nil for a song that a cue sheet hides.
        var directory: Int64?
        var album: Int64?
    }

    /// How many songs of a folder are checked; beyond that a song has its own picture.
    private static let maxAlbums = 100

    private let song: SQLStatement
    private let folder: SQLStatement

    init(_ database: Database) throws {
        let columns = "id, source_kind, ifnull(source_value, source_id), cover, walk, tags"
        song = try SQLStatement(database, "SELECT \(columns) FROM song WHERE id = ? AND uri IS NOT NULL")
        folder = try SQLStatement(
            database,
            """
            SELECT \(columns) FROM song INDEXED BY song_walk WHERE walk >= ? AND walk < ? ORDER BY walk
            LIMIT \(Self.maxAlbums)
            """)
    }

    func source(of id: Int64) throws -> PictureSource? {
        guard let own = try song.first(id, read: { Self.row($0) }) else { return nil }
        switch own.source {
        case .localFile(let path), .localPart(let path, _): return .local(songPath: path)
        case .navidrome, .navidromePart: break
        }
        let cover = try own.directory.flatMap { try own.album == nil ? nil : firstCover(in: $0, album: own.album) }
        return (cover ?? own.cover).map { .navidrome(coverArtID: $0) }
    }

    private func firstCover(in directory: Int64, album: Int64?) throws -> String? {
        folder.bind(all: directory << Schema.positionBits, (directory + 1) << Schema.positionBits)
        defer { folder.reset() }
        while try folder.step() {
            let row = Self.row(folder)
            if row.album == album, case .navidrome = row.source, let cover = row.cover { return cover }
        }
        return nil
    }

    private static func row(_ row: SQLStatement) -> Row {
        Row(
            id: row.int(0), source: SongSource(kind: row.int(1), value: row.text(2)), cover: row.optionalText(3),
            directory: row.optionalInt(4).map { $0 >> Schema.positionBits },
            album: TagList.decode(row.bytes(5)).first { $0.tag == .album }?.value)
    }
}
