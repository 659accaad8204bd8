/// The annotations of the user for songs, albums and artists: stars, ratings, and what is playing.
extension SubsonicClient {
    /// Stars everything that is named, or takes the stars away; what has none is left as it is. Navidrome accepts ids
    /// that it does not know; other servers refuse some of them and star the rest.
    package func star(
        _ isStarred: Bool = true, songs: [String] = [], albums: [String] = [], artists: [String] = []
    ) async throws {
        let call = SubsonicCall(isStarred ? "star" : "unstar").with("id", songs).with("albumId", albums)
        _ = try await perform(call.with("artistId", artists))
    }

    /// Rates a song, an album or an artist.
    /// - Parameter rating: 1 to 5; 0 takes the rating away.
    /// - Throws: `notFound` where there is no such thing.
    package func setRating(_ rating: Int, of id: String) async throws {
        _ = try await perform(SubsonicCall("setRating", ["id": id, "rating": String(rating)]))
    }

    /// A piece of a list of albums.
    /// - Parameter type: `recent` is those played last, the latest first; `highest` those with a rating, the best
    ///   first; more in the API's description of `getAlbumList2`.
    package func albums(ofType type: String, offset: Int, count: Int) async throws -> SubsonicPage<SubsonicAlbum> {
        let parameters: KeyValuePairs = ["type": type, "size": String(count), "offset": String(offset)]
        return try await list(SubsonicCall("getAlbumList2", parameters), "albumList2", "album")
    }

    /// An album with its songs; nil if there is none.
    package func album(id: String) async throws -> (album: SubsonicAlbum, songs: [SubsonicSong])? {
        let found: AlbumSongs? = try await ifFound { try await value(SubsonicCall("getAlbum", ["id": id]), "album") }
        return found.map { ($0.album, $0.songs) }
    }

    /// An artist; nil if there is none.
    package func artist(id: String) async throws -> SubsonicArtist? {
        try await ifFound { try await value(SubsonicCall("getArtist", ["id": id]), "artist") }
    }

    /// Says how the song that plays is getting on; never repeated here. Only for servers with the extension
    /// `playbackReport`. The server is told not to count a play by this: `scrobble` does that.
    /// - Parameters:
    ///   - position: the place in the song, in milliseconds.
    ///   - room: where it plays, as in `nowPlaying`.
    package func reportPlayback(of id: String, state: PlaybackReport, position: Int64, room: Int = 1) async throws {
        let parameters: KeyValuePairs = [
            "mediaId": id, "mediaType": "song", "positionMs": String(max(0, position)), "state": state.rawValue,
            "playbackRate": "1", "ignoreScrobble": "true",
        ]
        _ = try await perform(SubsonicCall("reportPlayback", parameters, isRepeatable: false, room: room))
    }
}

/// The events of a song, for `reportPlayback`.
package enum PlaybackReport: String, Hashable, Sendable {
    case playing, paused, stopped
}

/// An album with its songs, both of which stand in one object.
private struct AlbumSongs: JSONReadable, Sendable {
    let album: SubsonicAlbum
    let songs: [SubsonicSong]

    init?(_ reader: inout JSONReader) throws {
        var (second, found): (JSONReader, [SubsonicSong]) = (reader, [])
        guard let album = try SubsonicAlbum(&reader) else { return nil }
        try second.member("song") { found = try $0.list() }
        (self.album, songs) = (album, found)
    }
}
