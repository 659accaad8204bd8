import GRDB
import LibraryIndex
import MusicModel

/// The state that the server and we had in common last, inside a transaction.
struct PlaylistSyncStore {
    /// The last state that both sides had.
    struct Base {
        /// The server's name of the playlist.
        var serverName: String
        /// The name that clients saw.
        var shownName: String
        /// When it changed last, in the server's words.
        var stamp: String?
        /// The server's ids of its songs.
        var songs: [String]
        /// The songs that were being sent since; nil when none were.
        var attempt: [String]?
    }

    private let database: Database

    init(_ database: Database) { self.database = database }

    func base(of id: Int64) throws -> Base? {
        let row = try SQLStatement(
            database, "SELECT server_name, shown_name, stamp, songs, attempt FROM playlist_sync WHERE playlist = ?")
        row.bind(1, id)
        return try row.first {
            Base(
                serverName: row.text(0), shownName: row.text(1), stamp: row.optionalText(2),
                songs: Self.lines(row.text(3)), attempt: row.optionalText(4).map(Self.lines))
        }
    }

    func write(_ base: Base, of id: Int64, now: Int64) throws {
        let row = try SQLStatement(
            database,
            """
            INSERT OR REPLACE INTO playlist_sync (playlist, server_name, shown_name, stamp, fetched, songs, attempt)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """)
        row.bind(1, id)
        row.bind(2, base.serverName)
        row.bind(3, base.shownName)
        row.bind(4, base.stamp)
        row.bind(5, now / 1000)
        row.bind(6, base.songs.joined(separator: "\n"))
        row.bind(7, base.attempt?.joined(separator: "\n"))
        try row.run()
    }

    /// Notes what is about to be sent, so that it is recognised should the answer get lost.
    func write(attempt: [String], of id: Int64) throws {
        let row = try SQLStatement(database, "UPDATE playlist_sync SET attempt = ? WHERE playlist = ?")
        row.bind(1, attempt.joined(separator: "\n"))
        row.bind(2, id)
        try row.run()
    }

    func forget(_ id: Int64) throws {
        let row = try SQLStatement(database, "DELETE FROM playlist_sync WHERE playlist = ?")
        row.bind(1, id)
        try row.run()
    }

    static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    // MARK: The playlist's own row

    /// Ties a playlist to one of the server; nil unties it.
    func link(_ id: Int64, to serverID: String?, locked: String?) throws {
        let row = try SQLStatement(database, "UPDATE playlist SET server_id = ?, locked = ? WHERE id = ?")
        row.bind(1, serverID)
        row.bind(2, locked)
        row.bind(3, id)
        try row.run()
    }

    /// Notes that nothing waits to be sent, unless there was another edit than `edit`.
    func markSent(_ id: Int64, _ edit: Int64) throws {
        let row = try SQLStatement(database, "UPDATE playlist SET edited = NULL WHERE id = ? AND edited = ?")
        row.bind(1, id)
        row.bind(2, edit)
        try row.run()
    }

    func edited(_ id: Int64) throws -> Int64? {
        let row = try SQLStatement(database, "SELECT edited FROM playlist WHERE id = ?")
        row.bind(1, id)
        return try row.first { row.optionalInt(0) } ?? nil
    }

    /// Sets when the playlist changed, as clients see it, in Unix seconds.
    func date(_ id: Int64, _ modified: Int64) throws {
        let row = try SQLStatement(database, "UPDATE playlist SET modified = ? WHERE id = ?")
        row.bind(1, modified)
        row.bind(2, id)
        try row.run()
    }

    // MARK: Songs

    /// The song with this id on the server; nil where the index has none.
    func song(_ serverSong: String) throws -> (id: Int64, isVisible: Bool)? {
        let row = try SQLStatement(
            database, "SELECT id, uri IS NOT NULL FROM song WHERE source_id = ? AND source_kind = 0")
        row.bind(1, serverSong)
        return try row.first { (row.int(0), row.int(1) != 0) }
    }

    func entry(_ serverSong: String) throws -> PlaylistStore.Entry {
        guard let (id, isVisible) = try song(serverSong) else {
            return PlaylistStore.Entry(item: nil, serverSong: serverSong, isVisible: false)
        }
        return PlaylistStore.Entry(
            item: .song(SongID(rawValue: id)), serverSong: serverSong, isVisible: isVisible)
    }
}

extension PlaylistStore {
    /// Keeps a deleted playlist of the server in mind until it is deleted there, too.
    func noteDeletion(of playlist: Playlist) throws {
        guard let serverID = playlist.serverID else { return }
        let base = try sync.base(of: playlist.id)
        try noteDeletion(of: serverID, name: base?.serverName ?? playlist.name, songs: base?.songs ?? [])
    }

    /// Keeps in mind that a playlist of the server is to be deleted there, if it is still this one then.
    func noteDeletion(of serverID: String, name: String, songs: [String]) throws {
        let row = try SQLStatement(
            database, "INSERT OR REPLACE INTO playlist_deletion (server_id, name, songs) VALUES (?, ?, ?)")
        row.bind(1, serverID)
        row.bind(2, name)
        row.bind(3, songs.joined(separator: "\n"))
        try row.run()
    }
}
