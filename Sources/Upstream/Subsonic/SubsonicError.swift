package import MusicModel

/// Why a call to the server failed.
///
/// The message names the cause and, where there is one, the cure; neither it nor the description holds a credential
/// or a URL with its query.
package struct SubsonicError: ChainedError, Hashable, Sendable {
    /// The kinds that callers tell apart.
    package enum Code: Hashable, Sendable {
        /// The server refuses the user name or the credential (Subsonic 40, HTTP 401).
        case unauthorized
        /// The server wants another kind of credential than the one we have (Subsonic 41 to 44).
        case credentialNotSupported
        /// The user may not do this (Subsonic 50, HTTP 403).
        case notPermitted
        /// There is no such song, playlist or picture (Subsonic 70).
        case notFound
        /// The server does not know this call (HTTP 404, 405, 410, 501; Subsonic 20, 30).
        case unsupported
        /// The song has no byte at the place asked for (HTTP 416).
        case pastEnd
        /// An answer that is none of a Subsonic server: HTML, broken or cut JSON, or the wrong shape.
        case badAnswer
        /// No connection, or one that broke.
        case unreachable
        /// No trust: the server's certificate was refused, or there is no TLS there.
        case insecure
        /// Nothing came in time.
        case timedOut
        /// The server asks for patience (HTTP 429).
        case rateLimited
        /// The server failed with this HTTP status; 500 also where it says so in a Subsonic error of code 0.
        case server(status: Int)
        /// The server sends us elsewhere, which is not followed because the credentials would go there.
        case redirected
        /// Any other Subsonic error, with the server's code. Code 0 says neither that there is no such thing nor that
        /// there is no such call.
        case refused(code: Int)
        /// The settings can't work.
        case badSettings
        /// The client has been shut down.
        case closed
    }

    /// Which kind.
    package var code: Code
    /// For a person.
    package var message: String
    /// How long the server asked us to wait.
    package var retryAfter: Duration?
    package internal(set) var origin: ErrorOrigin
    /// A cause by which the call may have to be sent in another form.
    var cause: Cause?

    /// True if the server answered with an error of the protocol, so that nothing is wrong with the way to it.
    package internal(set) var isRefusal = false

    /// Failures of the form in which a call was sent, or of the thing it asked for.
    enum Cause: Hashable, Sendable {
        /// The server has the call, but not by POST.
        case methodNotAllowed
        /// The compressed answer could not be unpacked, or grew suspiciously in it.
        case compression
        /// The answer has more bytes than are taken.
        case size
        /// The server does not know the call, as it says without a code for that.
        case unknownCall
        /// The server can't open a file of its own.
        case unopenedFile
    }

    /// True if the answer has more bytes than are taken.
    package var isTooLarge: Bool { cause == .size }

    /// Makes an error.
    package init(
        _ code: Code, _ message: String, retryAfter: Duration? = nil, cause: (any Error)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        (self.code, self.message, self.retryAfter) = (code, message, retryAfter)
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    /// True if the same call may succeed later without any change.
    package var isTransient: Bool {
        switch code {
        case .unreachable, .timedOut, .rateLimited, .badAnswer: true
        case .server(let status): status >= 500
        case .unauthorized, .credentialNotSupported, .notPermitted, .notFound, .unsupported, .insecure, .redirected,
            .refused, .badSettings, .closed, .pastEnd:
            false
        }
    }

    package var description: String { message }
}
