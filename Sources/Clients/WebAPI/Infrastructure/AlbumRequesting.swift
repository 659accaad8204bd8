package import MusicModel

/// Finds albums that the library lacks, and requests them. Errors are `AlbumRequestError`, or `CancellationError`.
package protocol AlbumRequesting: Sendable {
    /// The requests, the newest first.
    func list() async -> [RequestedAlbum]
    /// Searches the catalogue.
    func search(_ words: String) async throws -> (albums: [RequestedAlbum], artists: [String])
    /// The albums that are missing of an artist, by the name.
    func missing(of artist: String) async throws -> [RequestedAlbum]
    /// Requests an album by its id; `by` names the client to others.
    func request(_ id: String, by: String) async throws -> RequestedAlbum
    /// The address of the picture of an album that was requested or found lately; nil without one.
    func picture(of id: String) async -> String?
}

/// An album that can be requested, and its progress.
package struct RequestedAlbum: Codable, Hashable, Sendable {
    /// Its progress.
    package enum State: String, Codable, Hashable, Sendable {
        case new
        /// Songs are missing, and nothing searches for them.
        case missing
        case asked
        case loading
        /// The downloaded files are being sorted in.
        case importing
        /// A problem has to be solved where albums are fetched.
        case failed
        /// All of its songs are there.
        case here
    }

    /// The MusicBrainz release group.
    package var id: String
    /// The album's title.
    package var title: String
    /// MusicBrainz's note that tells it from others of its name, such as `deluxe edition`; nil without one.
    package var note: String?
    /// The album's artist.
    package var artist: String
    /// The year of its first release.
    package var year: Int?
    /// Its kind in the catalogue's words: `Album`, `EP`, `Single`.
    package var kind: String?
    /// Its progress.
    package var state: State
    /// The number of songs that are there, and of all.
    package var songs: Songs?
    /// How much is downloaded, from 0 to 100; nil while nothing is.
    package var percent: Int?
    /// The catalogue's own words about a problem.
    package var problem: String?
    /// The address of its picture on the internet.
    package var picture: String?
    /// Unix seconds of the request; nil for albums that were not requested here.
    package var requested: Int64?
    /// The name of the person who requested it.
    package var by: String?

    /// Songs of an album.
    package struct Songs: Codable, Hashable, Sendable {
        /// The number of songs that are there.
        package var have: Int
        /// The number of songs of the release that was chosen.
        package var total: Int

        /// Counts them.
        package init(have: Int, total: Int) { (self.have, self.total) = (have, total) }
    }

    /// An album without any details.
    package init(id: String, title: String, artist: String, state: State) {
        (self.id, self.title, self.artist, self.state) = (id, title, artist, state)
    }

    /// True where nothing more will happen to it on its own.
    package var isFinished: Bool { state == .here }
}

/// Why albums can't be searched for or requested, in a sentence for the person who asked.
package struct AlbumRequestError: ChainedError, Hashable {
    /// The kinds of failure.
    package enum Code: Hashable, Sendable {
        /// The catalogue does not answer; asking again later may help.
        case unavailable
        /// The configuration has to be corrected.
        case misconfigured
        case notFound
        case refused
        /// This server's clients ask too often.
        case tooMany
    }

    /// The kind.
    package let code: Code
    /// The sentence; free of secrets.
    package let description: String
    package let origin: ErrorOrigin

    /// Pairs them.
    package init(
        _ code: Code, _ description: String, cause: (any Error)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        (self.code, self.description) = (code, description)
        origin = ErrorOrigin(cause, file: file, line: line)
    }
}
