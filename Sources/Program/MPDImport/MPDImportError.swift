package import MusicModel

/// The reason why something of MPD's could not be read, in words for the user.
package struct MPDImportError: ChainedError {
    /// The cause and, where there is one, the cure.
    package var message: String
    package let origin: ErrorOrigin

    /// Makes an error with its sentence.
    package init(
        _ message: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.message = message
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    package var description: String { message }
}
