/// The annotations of the user for songs, albums and artists: stars, ratings, and what is playing.
extension SubsonicClient {
    /// Songs, albums and artists by their ids.
    package struct Marked: Hashable, Sendable {
        /// Ids of songs.
        package var songs: [String]
        /// Ids of albums.
        package var albums: [String]
        /// Ids of artists.
        package var artists: [String]

        /// Collects ids.
        package init(songs: [String] = [], albums: [String] = [], artists: [String] = []) {
            self.songs = songs
            self.albums = albums
            self.artists = artists
        }

        fileprivate var parameters: [(name: String, value: String)] {
            songs.map { ("id", $0) } + albums.map { ("albumId", $0) } + artists.map { ("artistId", $0) }
        }
    }

    /// Stars everything that is named. Navidrome accepts ids that it does not know; other servers refuse some of them
    /// and star the rest.
    package func star(_ marked: Marked) async throws {
        if marked.parameters.isEmpty { return }
        _ = try await perform(SubsonicCall(name: "star", parameters: marked.parameters))
    }

    /// Takes stars away; what has none is left as it is.
    package func unstar(_ marked: Marked) async throws {
        if marked.parameters.isEmpty { return }
        _ = try await perform(SubsonicCall(name: "unstar", parameters: marked.parameters))
    }

    /// Rates a song, an album or an artist.
    ///
    /// - Parameter rating: 1 to 5; 0 takes the rating away.
    /// - Throws: `notFound` where there is no such thing.
    package func setRating(_ rating: Int, of id: String) async throws {
        _ = try await perform(SubsonicCall(name: "setRating", parameters: [("id", id), ("rating", String(rating))]))
    }

    /// A piece of a list of albums.
    ///
    /// - Parameter type: `recent` is those played last, the latest first; `highest` those with a rating, the best
    ///   first; more in the API's description of `getAlbumList2`.
    package func albums(ofType type: String, offset: Int, count: Int) async throws -> SubsonicPage<SubsonicAlbum> {
        let parameters = [(name: "type", value: type), ("size", String(count)), ("offset", String(offset))]
        let call = SubsonicCall(name: "getAlbumList2", parameters: parameters)
        return try await list(call, "albumList2", "album") { (reader) throws(JSONProblem) in try SubsonicAlbum(&reader)
        }
    }

    /// An album with its songs; nil if there is none.
    package func album(id: String) async throws -> (album: SubsonicAlbum, songs: [SubsonicSong])? {
        do {
            let call = SubsonicCall(name: "getAlbum", parameters: [("id", id)])
            return try await value(call, "album") { (reader) throws(JSONProblem) in
                var second = reader
                guard let album = try SubsonicAlbum(&reader) else { return nil }
                return (album, try second.songsOfAlbum())
            } ?? nil
        } catch let error as SubsonicError where error.code == .notFound { return nil }
    }

    /// An artist; nil if there is none.
    package func artist(id: String) async throws -> SubsonicArtist? {
        do {
            let call = SubsonicCall(name: "getArtist", parameters: [("id", id)])
            return try await value(call, "artist") { (reader) throws(JSONProblem) in try SubsonicArtist(&reader) }
                ?? nil
        } catch let error as SubsonicError where error.code == .notFound { return nil }
    }

    /// Says how the song that plays is getting on; never repeated here. Only for servers with the extension
    /// `playbackReport`. The server is told not to count a play by this: `scrobble` does that.
    ///
    /// - Parameters:
    ///   - position: the place in the song, in milliseconds.
    ///   - room: where it plays, as in `nowPlaying`.
    package func reportPlayback(of id: String, state: PlaybackReport, position: Int64, room: Int = 1) async throws {
        let parameters = [
            (name: "mediaId", value: id), ("mediaType", "song"), ("positionMs", String(max(0, position))),
            ("state", state.rawValue), ("playbackRate", "1"), ("ignoreScrobble", "true"),
        ]
        let call = SubsonicCall(name: "reportPlayback", parameters: parameters, isRepeatable: false, room: room)
        _ = try await perform(call)
    }
}

/// The events of a song, for `reportPlayback`.
package enum PlaybackReport: String, Hashable, Sendable {
    case playing, paused, stopped
}

extension JSONReader {
    /// Reads the songs of an album's answer.
    fileprivate mutating func songsOfAlbum() throws(JSONProblem) -> [SubsonicSong] {
        var page = SubsonicPage<SubsonicSong>(items: [])
        try members { (reader, name) throws(JSONProblem) in
            guard name.elementsEqual("song".utf8) else { return try reader.skip() }
            try reader.collect(into: &page) { (reader) throws(JSONProblem) in try SubsonicSong(&reader) }
        }
        return page.items
    }
}
