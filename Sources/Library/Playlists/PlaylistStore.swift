import GRDB
import MusicModel

/// Reads and writes stored playlists inside a transaction.
///
/// Entries whose song is gone keep their rows and are hidden, so that they are back when the song is; places that
/// clients name count visible entries only.
struct PlaylistStore {
    struct Playlist {
        var id: Int64
        var isReadOnly: Bool
    }

    struct Entry: Hashable {
        var item: QueueItem
        var isVisible: Bool
    }

    private let database: Database

    init(_ database: Database) { self.database = database }

    // MARK: Playlists

    func playlist(_ name: String) throws -> Playlist? {
        let row = try SQLStatement(database, "SELECT id, server_id IS NOT NULL FROM playlist WHERE name = ?")
        row.bind(1, name)
        return try row.first { Playlist(id: row.int(0), isReadOnly: row.int(1) != 0) }
    }

    /// A playlist that clients may edit.
    func editable(_ name: String) throws -> Playlist? {
        guard let playlist = try playlist(name) else { return nil }
        guard !playlist.isReadOnly else {
            throw LibraryError(.playlistReadOnly, "The playlist belongs to the server")
        }
        return playlist
    }

    /// A playlist that exists and may be edited.
    func existing(_ name: String) throws -> Playlist {
        guard let playlist = try editable(name) else { throw Self.missing }
        return playlist
    }

    static let missing = LibraryError(.noSuchPlaylist, "No such playlist")

    func create(_ name: String, serverID: String?, modified: Int64) throws -> Int64 {
        let id = try database.integer("SELECT max(id) FROM playlist") + 1
        let insertion = try SQLStatement(
            database, "INSERT INTO playlist (id, name, modified, server_id) VALUES (?, ?, ?, ?)")
        insertion.bind(1, id)
        insertion.bind(2, name)
        insertion.bind(3, modified)
        insertion.bind(4, serverID)
        try insertion.run()
        return id
    }

    func delete(_ id: Int64) throws {
        for sql in ["DELETE FROM playlist_item WHERE playlist = ?", "DELETE FROM playlist WHERE id = ?"] {
            let statement = try SQLStatement(database, sql)
            statement.bind(1, id)
            try statement.run()
        }
    }

    func touch(_ id: Int64, now: Int64) throws {
        let update = try SQLStatement(database, "UPDATE playlist SET modified = ? WHERE id = ?")
        update.bind(1, now)
        update.bind(2, id)
        try update.run()
    }

    func rename(_ id: Int64, to name: String) throws {
        let update = try SQLStatement(database, "UPDATE playlist SET name = ? WHERE id = ?")
        update.bind(1, name)
        update.bind(2, id)
        try update.run()
    }

    // MARK: Entries

    func entries(_ id: Int64) throws -> [Entry] {
        let rows = try SQLStatement(
            database,
            """
            SELECT i.song, s.walk IS NOT NULL, i.url, i.tags FROM playlist_item i LEFT JOIN song s ON s.id = i.song
            WHERE i.playlist = ? ORDER BY i.position
            """)
        rows.bind(1, id)
        var entries: [Entry] = []
        try rows.forEach {
            if let song = rows.optionalInt(0) {
                entries.append(Entry(item: .song(SongID(rawValue: song)), isVisible: rows.int(1) != 0))
            } else {
                let tags = TagPairs.decode(rows.bytes(3))
                entries.append(Entry(item: .stream(url: rows.text(2), tags: tags), isVisible: true))
            }
        }
        return entries
    }

    func replace(_ id: Int64, _ items: [QueueItem]) throws {
        let deletion = try SQLStatement(database, "DELETE FROM playlist_item WHERE playlist = ?")
        deletion.bind(1, id)
        try deletion.run()
        try append(id, items)
    }

    func append(_ id: Int64, _ items: [QueueItem]) throws {
        let last = try SQLStatement(database, "SELECT ifnull(max(position), -1) FROM playlist_item WHERE playlist = ?")
        last.bind(1, id)
        var position = try last.first { last.int(0) } ?? -1
        let insertion = try SQLStatement(
            database, "INSERT INTO playlist_item (playlist, position, song, url, tags) VALUES (?, ?, ?, ?, ?)")
        for item in items {
            position += 1
            insertion.bind(1, id)
            insertion.bind(2, position)
            insertion.bind(item, at: 3)
            try insertion.run()
        }
    }
}

extension SQLStatement {
    /// Sets three arguments, for the columns song, url and tags.
    func bind(_ item: QueueItem, at index: Int32) {
        switch item {
        case .song(let id):
            bind(index, id.rawValue)
            bind(index + 1, nil as String?)
            bind(index + 2, nil as String?)
        case .stream(let url, let tags):
            bind(index, nil as Int64?)
            bind(index + 1, url)
            bind(index + 2, TagPairs.encode(tags))
        }
    }
}
