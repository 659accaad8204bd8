import GRDB
import LibraryIndex

/// Reading and writing for the sync of playlists; each function is one transaction.
extension Library {
    /// Every stored playlist, with what is known of the server's side.
    package func playlistOverviews() async throws -> [PlaylistOverview] {
        try await database.rows(
            """
            SELECT p.id, p.name, p.server_id, p.edited, p.locked IS NOT NULL, y.server_name, y.stamp,
                ifnull(y.fetched, 0)
            FROM playlist p LEFT JOIN playlist_sync y ON y.playlist = p.id ORDER BY p.id
            """
        ) { row in
            PlaylistOverview(
                id: row.int(0), name: row.text(1), serverID: row.optionalText(2), edited: row.optionalInt(3),
                isLocked: row.int(4) != 0, serverName: row.optionalText(5), stamp: row.optionalText(6),
                fetched: row.int(7))
        }
    }

    /// True if an edit or a deletion waits to be sent.
    package func hasPlaylistWork() async throws -> Bool {
        try await database.first(
            "SELECT 1 FROM playlist WHERE edited IS NOT NULL UNION ALL SELECT 1 FROM playlist_deletion"
        ) { _ in true } ?? false
    }

    /// Brings a playlist of the server and ours together.
    /// - Parameter justSent: whether it was read right after sending ours.
    /// - Parameter source: the playlist of ours that the server just made it of.
    /// - Parameter sentName: ours as it was called when its name was just sent; nil when that was not.
    package func mergePlaylist(
        _ remote: ServerPlaylist, justSent: Bool = false, madeOf source: Int64? = nil, named sentName: String? = nil
    ) async throws -> PlaylistMergeOutcome {
        let now = UnixTime.milliseconds
        return try await writePlaylists { store in
            var merge = PlaylistMerge(store, remote, justSent: justSent, source: source, sentName: sentName, now: now)
            return try merge.run()
        }
    }

    /// Takes note of songs that came, moved or went: entries that waited for their song find it, and songs with a new
    /// id on the server are put into its playlists again.
    /// - Returns: whether clients see anything else than before.
    package func renewPlaylistSongs() async throws -> Bool {
        let now = UnixTime.milliseconds
        return try await writePlaylists { store in
            let found = Dictionary(grouping: try store.stored.found(), by: \.playlist)
            for (playlist, songs) in found {
                // A damaged database may have a code twice.
                let songsByCode = Dictionary(songs.map { ($0.code, $0.song) }, uniquingKeysWith: { first, _ in first })
                try store.stored.resolve(playlist, songsByCode)
            }
            let hasResolved = !found.isEmpty
            for playlist in try store.synced() {
                guard let base = try store.base(of: playlist) else { continue }
                let common = Set(base.songs.lazy.map { ExactText($0) })
                let isNew = try store.entries(playlist).contains { entry in
                    entry.isVisible && entry.serverSong.map { !common.contains(ExactText($0)) } ?? false
                }
                if isNew { try store.touch(playlist, now: now) }
            }
            return hasResolved
        }
    }

    private func writePlaylists<Value: Sendable>(
        _ body: @escaping @Sendable (PlaylistStore) throws -> Value
    ) async throws -> Value { try await write { [virtualPlaylists] in try body(PlaylistStore($0, virtualPlaylists)) } }

    /// Playlists of ours that the server is to get, noted as being sent; one with nothing that it could hold waits.
    package func playlistsToCreate() async throws -> [PlaylistPush] {
        let now = UnixTime.milliseconds
        return try await writePlaylists { store in
            try store.unsent().compactMap { playlist in
                guard let edited = playlist.edited else { return nil }
                let entries = try store.entries(playlist.id)
                let songs = entries.compactMap(\.serverSong)
                if songs.isEmpty, !entries.isEmpty {
                    try store.markSent(playlist.id, edited)
                    return nil
                }
                let name = PlaylistName.forServer(playlist.name)
                let base = PlaylistStore.SyncBase(
                    serverName: name, shownName: playlist.name, stamp: nil, songs: [], attempt: songs)
                try store.write(base, of: playlist.id, now: now)
                return PlaylistPush(
                    id: playlist.id, shownName: playlist.name, serverID: nil, name: name, songIDs: songs,
                    knownSongIDs: entries.filter(\.isVisible).compactMap(\.serverSong), present: [], edited: edited)
            }
        }
    }

    /// Notes what is about to be sent.
    package func notePlaylistAttempt(_ id: Int64, songIDs: [String]) async throws {
        try await writePlaylists { try $0.write(attempt: songIDs, of: id) }
    }

    /// Some songs that the server had in a playlist, to ask it whether it still knows them.
    package func playlistProbe(_ id: Int64) async throws -> [String] {
        try await read { [virtualPlaylists] database in
            Array(try PlaylistStore(database, virtualPlaylists).base(of: id)?.songs.prefix(3) ?? [])
        }
    }

    /// Takes note that the server has a playlist no longer. What was edited here meanwhile stays and becomes a new one
    /// there; so does all of a server that forgot its songs, because nothing was deleted there.
    /// - Returns: whether clients see anything else than before.
    package func loseServerPlaylist(_ id: Int64, serverForgot: Bool) async throws -> Bool {
        let now = UnixTime.milliseconds
        return try await writePlaylists { store in
            guard let playlist = try store.playlist(id: id) else { return false }
            let isEdited = playlist.edited != nil
            guard playlist.locked == nil, isEdited || serverForgot else {
                try store.delete(id)
                return true
            }
            try store.link(id, to: nil, locked: nil)
            try store.forget(id)
            if !isEdited { try store.touch(id, now: now) }
            return false
        }
    }

    /// The server's ids of playlists that were deleted here.
    package func playlistDeletions() async throws -> [String] {
        try await database.rows("SELECT server_id FROM playlist_deletion ORDER BY server_id") { $0.text(0) }
    }

    /// True if a playlist that was deleted here is still what it was then; one that changed comes back.
    package func mayDeletePlaylist(_ remote: ServerPlaylist) async throws -> Bool {
        try await read { [virtualPlaylists] database in
            let found = try database.first(
                "SELECT name, songs FROM playlist_deletion WHERE server_id = ?", remote.serverID
            ) { ($0.text(0), PlaylistStore.lines($0.text(1))) }
            guard let (name, songs) = found, ExactText.equal(name, remote.name) else { return false }
            let store = PlaylistStore(database, virtualPlaylists)
            return try PlaylistMerge(store, remote, justSent: false, now: 0).isSame(songs, entries: [])
        }
    }

    /// Forgets that a playlist was deleted here.
    package func forgetPlaylistDeletion(_ serverID: String) async throws {
        try await database.run("DELETE FROM playlist_deletion WHERE server_id = ?", serverID)
    }
}

extension PlaylistStore {
    fileprivate func synced() throws -> [Int64] {
        try database.rows(
            "SELECT id FROM playlist WHERE server_id IS NOT NULL AND locked IS NULL AND edited IS NULL ORDER BY id"
        ) { $0.int(0) }
    }

    fileprivate func unsent() throws -> [Playlist] {
        try database.rows(
            """
            SELECT \(Self.columns) FROM playlist p WHERE p.server_id IS NULL AND p.edited IS NOT NULL ORDER BY p.id
            """, read: Self.playlist)
    }
}
