import Subsonic
import UserLibrary

/// Sends one playlist to the server. A push is noted before it is sent: should the answer get lost, the server's list
/// is recognised as ours.
struct PlaylistSending {
    let client: SubsonicClient
    let library: Library
    let push: PlaylistPush

    /// Changes a playlist that the server has; returns it as the server has it then, nil when it is gone.
    func send() async throws -> SubsonicPlaylist? {
        guard let id = push.serverID else { return nil }
        if let name = push.name { try await client.renamePlaylist(id: id, to: name) }
        if let songs = push.songIDs {
            try await library.notePlaylistAttempt(push.id, songIDs: songs)
            try await send(songs, to: id)
        }
        return try await client.playlist(id: id)
    }

    /// Makes a playlist on the server, with the first piece of a long one: the rest follows once its id is known. Nil
    /// from servers that don't say what they made.
    func create() async throws -> SubsonicPlaylist? {
        try await knowing(push.songIDs ?? []) { songs in
            try await client.createPlaylist(
                name: push.name ?? push.shownName, songIDs: Array(songs.prefix(PlaylistPush.pieceSize)))
        }
    }

    var isOnePiece: Bool { (push.songIDs?.count ?? 0) <= PlaylistPush.pieceSize }

    private func send(_ songs: [String], to id: String) async throws {
        if songs.isEmpty { return try await empty(id) }
        // A long list that only grew is not sent whole.
        if push.present.count >= 100, songs.starts(with: push.present) {
            return try await append(songs.dropFirst(push.present.count), to: id)
        }
        _ = try await knowing(songs) { songs in
            try await client.replacePlaylist(id: id, songIDs: Array(songs.prefix(PlaylistPush.pieceSize)))
        }
        try await append(songs.dropFirst(PlaylistPush.pieceSize), to: id)
    }

    /// Navidrome takes an empty list for no list: first one song, then none.
    private func empty(_ id: String) async throws {
        guard let song = push.present.first else { return }
        if push.present.count > 1 { _ = try await client.replacePlaylist(id: id, songIDs: [song]) }
        try await client.removeOnlySong(ofPlaylist: id)
    }

    private func append(_ songs: ArraySlice<String>, to id: String) async throws {
        var rest = songs
        while !rest.isEmpty {
            _ = try await knowing(Array(rest.prefix(PlaylistPush.pieceSize))) { songs in
                try await client.appendToPlaylist(id: id, songIDs: songs)
                return nil
            }
            rest = rest.dropFirst(PlaylistPush.pieceSize)
        }
    }

    /// Sends songs, and where the server stumbles over one that it does not know, as supysonic, without those that the
    /// index does not have.
    private func knowing(
        _ songs: [String], _ body: ([String]) async throws -> SubsonicPlaylist?
    ) async throws -> SubsonicPlaylist? {
        do {
            return try await body(songs)
        } catch let error as SubsonicError where error.code == .notFound {
            let known = Set(push.knownSongIDs)
            let left = songs.filter { known.contains($0) }
            if left.count == songs.count { throw error }
            return try await body(left)
        }
    }
}
