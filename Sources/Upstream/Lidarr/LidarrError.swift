package import MusicModel

/// Why Lidarr did not do what was asked, in a sentence for the person who asked.
package struct LidarrError: ChainedError, Hashable {
    /// The kinds of failure.
    package enum Code: Hashable, Sendable {
        /// Lidarr, or its metadata service, does not answer; asking again later may help.
        case unavailable
        /// The configuration has to be corrected.
        case misconfigured
        /// Lidarr knows no such album.
        case notFound
        /// Lidarr refuses the request.
        case refused
        /// Too many requests of this server's clients.
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
