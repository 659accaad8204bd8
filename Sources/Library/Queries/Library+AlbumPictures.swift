import GRDB
public import MusicModel

/// Pictures of albums: songs of one album in one folder share one, so that it is fetched once.
extension Library {
    /// Where the picture of a song's album is: that of the first song in its folder if it is of the same album,
    /// otherwise the song's own; nil when there is none or no such song.
    @concurrent
    public func albumPictureSource(ofSongAt uri: String) async throws -> PictureSource? {
        try await read { database in
            guard let id = try TreeLookup(database).song(at: uri) else { return nil }
            return try AlbumPictures(database).source(of: id)
        }
    }

    /// The server's ids of the pictures of these songs' albums, each once, in the order of the songs.
    @concurrent
    public func albumCovers(of songs: [SongID]) async throws -> [String] {
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
        var directory: Int64
        var album: Int64?
    }

    private let song: SQLStatement
    private let first: SQLStatement

    init(_ database: Database) throws {
        let columns = "id, source_kind, ifnull(source_value, source_id), cover, walk, tags"
        song = try SQLStatement(database, "SELECT \(columns) FROM song WHERE id = ? AND walk IS NOT NULL")
        first = try SQLStatement(
            database,
            "SELECT \(columns) FROM song INDEXED BY song_walk WHERE walk >= ? AND walk < ? ORDER BY walk LIMIT 1")
    }

    func source(of id: Int64) throws -> PictureSource? {
        song.bind(1, id)
        guard let own = try song.first({ Self.row(song) }) else { return nil }
        if case .localFile(let path) = own.source { return .local(songPath: path) }
        first.bind(1, own.directory << Schema.placeBits)
        first.bind(2, (own.directory + 1) << Schema.placeBits)
        guard let leader = try first.first({ Self.row(first) }), leader.album == own.album, own.album != nil,
            case .navidrome = leader.source, let cover = leader.cover
        else { return own.cover.map { .navidrome(coverArtID: $0) } }
        return .navidrome(coverArtID: cover)
    }

    private static func row(_ row: SQLStatement) -> Row {
        Row(
            id: row.int(0), source: SongSource(kind: row.int(1), value: row.text(2)), cover: row.optionalText(3),
            directory: row.int(4) >> Schema.placeBits,
            album: TagList.decode(row.bytes(5)).first { $0.tag == .album }?.value)
    }
}
