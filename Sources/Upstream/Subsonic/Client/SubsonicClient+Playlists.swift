/// Playlists.
///
/// A whole list is set by `createPlaylist` with the playlist's id. Positions are never named, because Navidrome also
/// counts entries that it hides. No call takes more songs than the server takes parameters, 10,000 with those of the
/// credential.
extension SubsonicClient {
    /// The playlists that the user sees, without their entries.
    package func playlists() async throws -> [SubsonicPlaylist] {
        try await list(SubsonicCall("getPlaylists"), "playlists", "playlist").items
    }

    /// One playlist with its entries; nil if there is none.
    package func playlist(id: String) async throws -> SubsonicPlaylist? {
        try await ifFound {
            guard let playlist = try await playlist(SubsonicCall("getPlaylist", ["id": id])) else {
                throw SubsonicError(.badAnswer, "\(shownAddress) sends a playlist without an id.")
            }
            return playlist
        }
    }

    /// Makes a playlist. Never repeated here, since every copy makes one.
    /// - Returns: the playlist as the server has it now; nil from servers that don't say, as supysonic.
    package func createPlaylist(name: String, songIDs: [String]) async throws -> SubsonicPlaylist? {
        try await playlist(SubsonicCall("createPlaylist", ["name": name], isRepeatable: false).with("songId", songIDs))
    }

    /// Gives a playlist other songs; on Navidrome an empty list changes nothing.
    /// - Returns: the playlist as the server has it now; nil from servers that don't say, as supysonic.
    package func replacePlaylist(id: String, songIDs: [String]) async throws -> SubsonicPlaylist? {
        try await playlist(SubsonicCall("createPlaylist", ["playlistId": id]).with("songId", songIDs))
    }

    /// Puts songs behind those of a playlist; never repeated here.
    package func appendToPlaylist(id: String, songIDs: [String]) async throws {
        let call = SubsonicCall("updatePlaylist", ["playlistId": id], isRepeatable: false)
        _ = try await perform(call.with("songIdToAdd", songIDs))
    }

    /// Empties a playlist that has exactly one song.
    package func removeOnlySong(ofPlaylist id: String) async throws {
        _ = try await perform(SubsonicCall("updatePlaylist", ["playlistId": id, "songIndexToRemove": "0"]))
    }

    /// Gives a playlist another name.
    package func renamePlaylist(id: String, to name: String) async throws {
        _ = try await perform(SubsonicCall("updatePlaylist", ["playlistId": id, "name": name]))
    }

    /// Deletes a playlist; one that isn't there any more is fine.
    package func deletePlaylist(id: String) async throws {
        _ = try await ifFound { try await perform(SubsonicCall("deletePlaylist", ["id": id])) }
    }

    private func playlist(_ call: SubsonicCall) async throws -> SubsonicPlaylist? {
        guard var playlist: SubsonicPlaylist = try await value(call, "playlist") else { return nil }
        playlist.entryIDs = playlist.entryIDs ?? []
        return playlist
    }
}
