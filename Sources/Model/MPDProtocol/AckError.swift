/// An error as MPD reports it: `ACK [code@index] {command} message`.
package struct AckError: Error, Hashable, Sendable {
    /// MPD's error codes.
    package enum Code: Int, Hashable, Sendable {
        case notList = 1
        case argument = 2
        case password = 3
        case permission = 4
        case unknown = 5
        case noExist = 50
        case playlistMax = 51
        case system = 52
        case playlistLoad = 53
        case updateAlready = 54
        case playerSync = 55
        case exist = 56
    }

    /// Which kind of error.
    package var code: Code
    /// The error, for a person; one line, never with a secret in it.
    package var message: String

    /// Makes an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// An error with runs of white space in its message made one space, as MPD's exceptions have it (`AppendSanitize`).
    static func thrown(_ code: Code, _ message: String) -> AckError {
        AckError(code, message.split { $0.isASCII && $0.isWhitespace }.joined(separator: " "))
    }
}
