import GRDB
import LibraryIndex
import MusicModel

/// Reads and writes stored playlists inside a transaction; places that clients name count visible entries only.
struct PlaylistStore {
    struct Playlist {
        var id: Int64
        var name: String
        /// Why it can't be edited: empty for a smart playlist, otherwise whose it is; nil when it can.
        var locked: String?
        var serverID: String?
        /// When it was edited last without the server knowing, in Unix milliseconds.
        var edited: Int64?
    }

    struct Entry: Hashable {
        var item: QueueItem?
        /// The server's id of its song; nil for streams and songs of this machine.
        var serverSong: String?
        var isVisible: Bool
    }

    let database: Database
    private let virtual: VirtualPlaylists
    init(_ database: Database, _ virtual: VirtualPlaylists) { (self.database, self.virtual) = (database, virtual) }

    // MARK: Playlists

    func playlist(_ name: String) throws -> Playlist? { try playlist(where: "name = ?", name) }
    func playlist(id: Int64) throws -> Playlist? { try playlist(where: "id = ?", id) }
    func playlist(serverID: String) throws -> Playlist? { try playlist(where: "server_id = ?", serverID) }

    private func playlist(where condition: String, _ argument: some SQLArgument) throws -> Playlist? {
        let sql = "SELECT \(Self.columns) FROM playlist p WHERE \(condition)"
        return try database.first(sql, argument, read: Self.playlist)
    }

    static let columns = "p.id, p.name, p.locked, p.server_id, p.edited"

    func beingMade() throws -> [(playlist: Playlist, sentAs: String)] {
        try database.rows(
            """
            SELECT \(Self.columns), y.server_name FROM playlist_sync y
            JOIN playlist p ON p.id = y.playlist WHERE p.server_id IS NULL AND y.attempt IS NOT NULL ORDER BY p.id
            """
        ) { (Self.playlist($0), $0.text(5)) }
    }

    static func playlist(_ row: SQLStatement) -> Playlist {
        Playlist(
            id: row.int(0), name: row.text(1), locked: row.optionalText(2), serverID: row.optionalText(3),
            edited: row.optionalInt(4))
    }

    /// A playlist that clients may edit; nil when there is none and one of that name may be made.
    func editable(_ name: String) throws -> Playlist? {
        guard let playlist = try playlist(name) else {
            if let playlist = virtual[name] { throw playlist.isReadOnly }
            return nil
        }
        guard let locked = playlist.locked else { return playlist }
        throw LibraryError(
            .playlistReadOnly,
            locked.isEmpty
                ? "\(name) is a smart playlist of the server and can't be edited here"
                : "\(name) belongs to \(locked) on the server and can't be edited here")
    }

    func existing(_ name: String) throws -> Playlist {
        guard let playlist = try editable(name) else { throw Self.missing }
        return playlist
    }

    func checkFree(_ name: String) throws {
        if let playlist = virtual[name] { throw playlist.isReadOnly }
        guard try playlist(name) == nil else { throw PlaylistName.exists }
    }

    /// The name, or the first numbered one that nothing but the playlist `id` has.
    func freeName(_ name: String, for id: Int64?) throws -> String {
        var candidate = name
        var number = 1
        while try virtual[candidate] != nil || playlist(candidate).map({ $0.id != id }) ?? false {
            number += 1
            candidate = "\(name) (\(number))"
        }
        return candidate
    }

    static let missing = LibraryError(.noSuchPlaylist, "No such playlist")

    func create(_ name: String, modified: Int64) throws -> Int64 {
        let id = try database.nextID(in: "playlist")
        try database.run("INSERT INTO playlist (id, name, modified) VALUES (?, ?, ?)", id, name, modified)
        return id
    }

    func delete(_ id: Int64) throws {
        try stored.removeAll(id)
        for sql in ["DELETE FROM playlist_sync WHERE playlist = ?", "DELETE FROM playlist WHERE id = ?"] {
            try database.run(sql, id)
        }
    }

    /// Notes an edit by a client, which waits for the server from now on; `now` is in Unix milliseconds.
    func touch(_ id: Int64, now: Int64) throws {
        // No two edits are alike, so that one during a transfer is told from the one that is transferred.
        try database.run(
            "UPDATE playlist SET modified = ?1 / 1000, edited = max(?1, ifnull(edited, 0) + 1) WHERE id = ?2", now, id)
    }

    func rename(_ id: Int64, to name: String) throws {
        try database.run("UPDATE playlist SET name = ? WHERE id = ?", name, id)
    }

    // MARK: Entries

    var stored: StoredEntries { StoredEntries(database) }

    func checkRoom(_ id: Int64, for added: Int, limit: Int) throws {
        guard try stored.count(id) + added <= limit else {
            throw LibraryError(.playlistTooLarge, "Stored playlist is too large")
        }
    }

    func visibleCount(_ id: Int64) throws -> Int {
        let row = try SQLStatement(database, "SELECT 1 FROM song WHERE id = ? AND uri IS NOT NULL")
        return try stored.list(id).visible { try row.has(Int64($0)) }.count
    }

    func entries(_ id: Int64) throws -> [Entry] {
        let list = try stored.list(id)
        let song = try SQLStatement(
            database,
            """
            SELECT uri IS NOT NULL, CASE WHEN source_kind = 0 THEN ifnull(source_value, source_id) END FROM song
            WHERE id = ?
            """)
        return try list.codes.map { code in
            switch list.content(code) {
            case .stream(let url, let tags):
                return Entry(item: .stream(url: url, tags: tags), serverSong: nil, isVisible: true)
            case .awaited(let serverSong): return Entry(item: nil, serverSong: serverSong, isVisible: false)
            case .song(let id):
                let found = try song.first(id) { (isVisible: $0.int(0) != 0, serverSong: $0.optionalText(1)) }
                return Entry(
                    item: .song(SongID(rawValue: id)), serverSong: found?.serverSong,
                    isVisible: found?.isVisible ?? false)
            }
        }
    }

    func replace(_ id: Int64, _ entries: [Entry]) throws {
        try stored.removeAll(id)
        try stored.append(id, entries.map(\.content))
    }

    func append(_ id: Int64, _ items: [QueueItem]) throws { try stored.append(id, items.map { Entry($0).content }) }
}

extension PlaylistStore.Entry {
    init(_ item: QueueItem) { self.init(item: item, serverSong: nil, isVisible: true) }

    var content: StoredEntries.Content {
        switch item {
        case .song(let id): .song(id.rawValue)
        case .stream(let url, let tags): .stream(url: url, tags: tags)
        case nil: .awaited(serverSong: serverSong ?? "")
        }
    }
}
