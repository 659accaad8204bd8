import GRDB
import LibraryIndex
import MusicModel

extension PlaylistStore {
    struct SyncBase {
        var serverName: String
        var shownName: String
        var stamp: String?
        var songs: [String]
        var attempt: [String]?
    }

    func base(of id: Int64) throws -> SyncBase? {
        try database.first(
            "SELECT server_name, shown_name, stamp, songs, attempt FROM playlist_sync WHERE playlist = ?", id
        ) { row in
            SyncBase(
                serverName: row.text(0), shownName: row.text(1), stamp: row.optionalText(2),
                songs: Self.lines(row.text(3)), attempt: row.optionalText(4).map(Self.lines))
        }
    }

    func write(_ base: SyncBase, of id: Int64, now: Int64) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO playlist_sync (playlist, server_name, shown_name, stamp, fetched, songs, attempt)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, id, base.serverName, base.shownName, base.stamp, now / 1000, base.songs.joined(separator: "\n"),
            base.attempt?.joined(separator: "\n"))
    }

    func write(attempt: [String], of id: Int64) throws {
        try database.run("UPDATE playlist_sync SET attempt = ? WHERE playlist = ?", attempt.joined(separator: "\n"), id)
    }

    func forget(_ id: Int64) throws { try database.run("DELETE FROM playlist_sync WHERE playlist = ?", id) }
    static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    /// Ties a playlist to one of the server; nil unties it.
    func link(_ id: Int64, to serverID: String?, locked: String?) throws {
        try database.run("UPDATE playlist SET server_id = ?, locked = ? WHERE id = ?", serverID, locked, id)
    }

    /// Notes that nothing waits to be sent, unless there was another edit than `edit`.
    func markSent(_ id: Int64, _ edit: Int64) throws {
        try database.run("UPDATE playlist SET edited = NULL WHERE id = ? AND edited = ?", id, edit)
    }

    func date(_ id: Int64, _ modified: Int64) throws {
        try database.run("UPDATE playlist SET modified = ? WHERE id = ?", modified, id)
    }

    /// The song with this id on the server; nil where the index has none.
    func song(_ serverSong: String) throws -> (id: Int64, isVisible: Bool)? {
        try database.first(
            "SELECT id, uri IS NOT NULL FROM song WHERE source_id = ? AND source_kind = 0", serverSong
        ) { ($0.int(0), $0.int(1) != 0) }
    }

    func entry(_ serverSong: String) throws -> Entry {
        guard let (id, isVisible) = try song(serverSong) else {
            return Entry(item: nil, serverSong: serverSong, isVisible: false)
        }
        return Entry(item: .song(SongID(rawValue: id)), serverSong: serverSong, isVisible: isVisible)
    }

    /// Keeps a deleted playlist of the server in mind until it is deleted there, too.
    func noteDeletion(of playlist: Playlist) throws {
        guard let serverID = playlist.serverID else { return }
        let base = try base(of: playlist.id)
        try noteDeletion(of: serverID, name: base?.serverName ?? playlist.name, songs: base?.songs ?? [])
    }

    /// Keeps in mind that a playlist of the server is to be deleted there, if it is still this one then.
    func noteDeletion(of serverID: String, name: String, songs: [String]) throws {
        try database.run(
            "INSERT OR REPLACE INTO playlist_deletion (server_id, name, songs) VALUES (?, ?, ?)", serverID, name,
            songs.joined(separator: "\n"))
    }
}
