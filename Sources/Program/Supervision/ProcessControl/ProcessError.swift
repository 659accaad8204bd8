package import MusicModel

/// A refusal of the system, with the cause and the cure in one line.
package struct ProcessError: ChainedError {
    /// The line.
    package let message: String
    package let origin: ErrorOrigin

    package var description: String { message }

    init(
        _ message: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.message = message
        origin = ErrorOrigin(cause, file: file, line: line)
    }
}
