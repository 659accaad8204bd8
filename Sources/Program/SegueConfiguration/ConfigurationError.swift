package import MusicModel

/// Why a configuration can't be used; its description is one line that says what to change.
package struct ConfigurationError: ChainedError, Hashable, Sendable {
    /// The kinds of trouble.
    package enum Code: Hashable, Sendable {
        /// No path was given and none of the usual places has a file.
        case notFound
        /// The file is missing or can't be read.
        case unreadable
        /// The file is no TOML.
        case syntax
        /// A key or a value is wrong.
        case value
    }

    /// The kind of trouble.
    package var code: Code
    /// The file as it was given, or `environment`.
    package var file: String?
    /// The line in the file, counted from 1.
    package var line: Int?
    /// The key, such as `server.listen`, or the environment variable.
    package var key: String?
    /// The error and the cure; never the text of a secret.
    package var message: String
    package let origin: ErrorOrigin

    /// Describes some trouble.
    ///
    /// - Parameter cause: never an error that quotes the file, which may hold passwords.
    package init(
        code: Code, file: String? = nil, line: Int? = nil, key: String? = nil, message: String,
        cause: (any Error)? = nil, sourceFile: StaticString = #fileID, sourceLine: UInt = #line
    ) {
        self.code = code
        self.file = file
        self.line = line
        self.key = key
        self.message = message
        origin = ErrorOrigin(cause, file: sourceFile, line: sourceLine)
    }

    /// For example `segue.toml:12: server.listne: unknown key; did you mean server.listen?`.
    package var description: String {
        var text = ""
        if let file {
            text += file
            if let line { text += ":\(line)" }
            text += ": "
        }
        if let key { text += key + ": " }
        return text + message
    }
}
