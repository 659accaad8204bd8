package import MusicModel

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
