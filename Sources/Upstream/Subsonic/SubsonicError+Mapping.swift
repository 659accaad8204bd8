import AsyncHTTPClient
import MusicModel
import NIOCore
import NIOHTTP1

/// How failures become errors that a person can act on.
extension SubsonicError {
    /// Seconds that a server may ask us to wait.
    private static let longestRetryAfter = 3600

    /// From the server's own error.
    init(_ failure: AnswerEnvelope.Failure, credentials: Credentials, address: String) {
        let said = credentials.presentable(failure.message).map { " The server says: \($0)" } ?? ""
        switch failure.code {
        case 40:
            self.init(.unauthorized, "\(address) refuses the user name or the password. Log in again or correct them.")
        case 41...44:
            self.init(.credentialNotSupported, "\(address) does not take this kind of credential.\(said)")
        case 50: self.init(.notPermitted, "The user may not do this on \(address).\(said)")
        case 70: self.init(.notFound, "\(address) has no such thing.\(said)")
        case 20, 30: self.init(.unsupported, "\(address) speaks another version of the Subsonic API.\(said)")
        case 0 where failure.isInternal:
            self.init(.server(status: 500), "\(address) failed. See its log.\(said)")
            if failure.isOfFile { cause = .unopenedFile }
        default:
            self.init(.refused(code: failure.code), "\(address) refuses the call.\(said)")
            if failure.code == 0 && failure.isOfUnknownCall { cause = .unknownCall }
        }
        isRefusal = true
    }

    /// From an HTTP status that is no success; nil for one that is.
    init?(status: HTTPResponseStatus, headers: HTTPHeaders, address: String) {
        switch status.code {
        case 200..<300: return nil
        case 300..<400:
            self.init(
                .redirected,
                "\(address) redirects elsewhere. Configure the address that it redirects to, with https if so."
            )
        case 401: self.init(.unauthorized, "\(address) asks for a login of its own (HTTP 401). Is a proxy in between?")
        case 403: self.init(.notPermitted, "\(address) forbids the call (HTTP 403). Is a proxy in between?")
        case 404, 405, 410, 501:
            self.init(.unsupported, "\(address) does not know the call (HTTP \(status.code)). Is the address right?")
        case 408, 504: self.init(.timedOut, "\(address) took too long (HTTP \(status.code)).")
        case 429:
            // No server may keep what waits for it away for longer than an hour, and no number may be too large to add.
            let asked = headers.first(name: "Retry-After").flatMap { Int($0) }
                .map { Duration.seconds(min(max(0, $0), Self.longestRetryAfter)) }
            self.init(.rateLimited, "\(address) gets too many requests (HTTP 429).", retryAfter: asked)
        default: self.init(.server(status: Int(status.code)), "\(address) failed (HTTP \(status.code)). See its log.")
        }
        if status == .methodNotAllowed { cause = .methodNotAllowed }
    }

    /// From an answer that can't be read.
    init(_ problem: JSONProblem, firstByte: UInt8?, address: String) {
        if firstByte == UInt8(ascii: "<") {
            self.init(
                .badAnswer,
                "\(address) answers with a web page instead of data. Is the address right, or a login page in between?"
            )
        } else {
            self.init(
                .badAnswer, "\(address) sends an answer that can't be read: \(problem.reason) (byte \(problem.offset))."
            )
        }
        origin = ErrorOrigin(problem)
    }

    /// From a failure of the connection, which is kept beneath. Only what is known to be free of URLs is repeated.
    init(transport error: any Error, address: String) {
        switch error {
        case let error as HTTPClientError: self.init(client: error, address: address)
        case is NIOTooManyBytesError:
            self.init(.badAnswer, "\(address) sends an answer that is too large.")
            cause = .size
        case is TinyPieces: self.init(.badAnswer, "\(address) sends an answer in pieces of a few bytes, or too slowly.")
        default:
            let type = String(describing: Swift.type(of: error))
            if type.contains("SSL") {
                self.init(
                    .insecure,
                    """
                    No secure connection to \(address): its certificate is not trusted, or it speaks no TLS. If the \
                    certificate is your own, name its file in SSL_CERT_FILE in Segue's environment.
                    """
                )
            } else if type.contains("Decompression") {
                self.init(.badAnswer, "\(address) sends a compressed answer that can't be unpacked.")
                cause = .compression
            } else if type.contains("Parser") {
                self.init(
                    .badAnswer, "\(address) sends an answer that can't be read, or breaks off in the middle of it.")
            } else {
                self.init(.unreachable, "\(address) can't be reached. Is it running, and is the address right?")
            }
        }
        origin = ErrorOrigin(error)
    }

    private init(client error: HTTPClientError, address: String) {
        switch error {
        case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout:
            self.init(.timedOut, "\(address) does not answer in time.")
        case .alreadyShutdown, .cancelled: self.init(.closed, "The connection to \(address) was closed on shutdown.")
        case .tlsHandshakeTimeout:
            self.init(.insecure, "\(address) does not answer with TLS. Is it http instead of https?")
        case .invalidURL, .emptyHost, .emptyScheme:
            self.init(.badSettings, "The server's address must look like http://host:4533 or https://host.")
        default: self.init(.unreachable, "The connection to \(address) broke.")
        }
    }

    /// The server is from before tokens and we have nothing else.
    static func tokensUnknown(_ address: String) -> SubsonicError {
        SubsonicError(
            .credentialNotSupported,
            "\(address) does not know tokens, and only a token is stored. Put the password into the configuration."
        )
    }

    /// The song's bytes, or an answer's, ended before their announced end.
    static func brokenOff(_ address: String) -> SubsonicError {
        SubsonicError(.unreachable, "The connection to \(address) broke in the middle of a file.")
    }
}

/// Code 0 stands for everything that has no code of its own; only the message tells what it is.
///
/// - Source: `mapToSubsonicError` in `server/subsonic/api.go` of Navidrome, and `api/errors.py` of supysonic.
extension AnswerEnvelope.Failure {
    /// The beginning of the message, which says what happened; a hostile one may be long.
    private var said: String { message.prefix(utf8: 200).withoutEndlessLetters.lowercased() }

    /// Whether the server itself failed, such as at its database, and the same call may succeed later.
    fileprivate var isInternal: Bool {
        let said = said
        return said.hasPrefix("internal server error") || said.hasPrefix("internal error")
    }

    /// Whether the server failed at opening a file or a program, in the words of Go.
    fileprivate var isOfFile: Bool {
        let said = said
        return ["open ", "exec: ", "fork/exec "].contains { said.hasPrefix("internal server error: \($0)") }
    }

    /// Whether the server doesn't have the call, or not for such parameters.
    fileprivate var isOfUnknownCall: Bool {
        let said = said
        let absences: [String] = [
            "unknown method", "unknown search type", "not implemented", "not supported", "unsupported",
        ]
        return absences.contains { said.contains($0) }
    }
}
