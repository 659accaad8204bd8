/// Editing playlists.
///
/// A whole list is set by `createPlaylist` with the playlist's id. Positions are never named, because Navidrome also
/// counts entries that it hides.
extension SubsonicClient {
    /// The user's name, as it is sent to the server.
    package var username: String { transport.settings.username }

    /// Makes a playlist. Never repeated here, since every copy makes one.
    ///
    /// - Parameter songIDs: no more than the server takes parameters, 10,000 with those of the credential.
    /// - Returns: the playlist as the server has it now; nil from servers that don't say, as supysonic.
    package func createPlaylist(name: String, songIDs: [String]) async throws -> SubsonicPlaylist? {
        try await playlistAnswer(
            SubsonicCall(
                name: "createPlaylist", parameters: [("name", name)] + songIDs.map { ("songId", $0) },
                isRepeatable: false))
    }

    /// Gives a playlist other songs; on Navidrome an empty list changes nothing.
    ///
    /// - Parameter songIDs: no more than the server takes parameters, 10,000 with those of the credential.
    /// - Returns: the playlist as the server has it now; nil from servers that don't say, as supysonic.
    package func replacePlaylist(id: String, songIDs: [String]) async throws -> SubsonicPlaylist? {
        try await playlistAnswer(
            SubsonicCall(
                name: "createPlaylist", parameters: [("playlistId", id)] + songIDs.map { ("songId", $0) }))
    }

    /// Puts songs behind those of a playlist; never repeated here.
    ///
    /// - Parameter songIDs: no more than the server takes parameters, 10,000 with those of the credential.
    package func appendToPlaylist(id: String, songIDs: [String]) async throws {
        let parameters = [(name: "playlistId", value: id)] + songIDs.map { ("songIdToAdd", $0) }
        _ = try await perform(SubsonicCall(name: "updatePlaylist", parameters: parameters, isRepeatable: false))
    }

    /// Empties a playlist that has exactly one song.
    package func removeOnlySong(ofPlaylist id: String) async throws {
        let parameters = [(name: "playlistId", value: id), ("songIndexToRemove", "0")]
        _ = try await perform(SubsonicCall(name: "updatePlaylist", parameters: parameters))
    }

    /// Gives a playlist another name.
    package func renamePlaylist(id: String, to name: String) async throws {
        let parameters = [(name: "playlistId", value: id), ("name", name)]
        _ = try await perform(SubsonicCall(name: "updatePlaylist", parameters: parameters))
    }

    /// Deletes a playlist.
    ///
    /// - Throws: `notFound` where there is none any more.
    package func deletePlaylist(id: String) async throws {
        _ = try await perform(SubsonicCall(name: "deletePlaylist", parameters: [("id", id)]))
    }

    private func playlistAnswer(_ call: SubsonicCall) async throws -> SubsonicPlaylist? {
        guard
            var playlist = try await value(
                call, "playlist",
                { (reader) throws(JSONProblem) in
                    try SubsonicPlaylist(&reader)
                }) ?? nil
        else { return nil }
        playlist.entryIDs = playlist.entryIDs ?? []
        return playlist
    }
}
