import AsyncHTTPClient
import MusicModel
import NIOCore
import NIOHTTP1
import NIOSSL

/// How failures become errors that a person can act on.
extension SubsonicError {
    /// Seconds that a server may ask us to wait.
    private static let maxRetryAfter = 3600

    /// From the server's own error.
    init(_ failure: AnswerEnvelope.Failure, credentials: Credentials, address: String) {
        let said = credentials.presentable(failure.message).map { " The server says: \($0)" } ?? ""
        switch failure.code {
        case 40:
            self.init(.unauthorized, "\(address) refuses the user name or the password. Log in again or correct them.")
        case 41...44:
            self.init(.credentialNotSupported, "\(address) does not accept this kind of credential.\(said)")
        case 50: self.init(.notPermitted, "The user may not do this on \(address).\(said)")
        case 70: self.init(.notFound, "\(address) has no such thing.\(said)")
        case 20, 30: self.init(.unsupported, "\(address) uses another version of the Subsonic API.\(said)")
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
        let code = status.code
        let pass = "set the headers it requires under [navidrome]"
        switch code {
        case 200..<300: return nil
        case 300..<400: self.init(.redirected, Self.redirection(headers.first(name: "Location"), from: address))
        case 401:
            self.init(
                .unauthorized,
                "A proxy in front of \(address), not the music server, asks for a login (HTTP 401); \(pass).")
        case 403:
            self.init(
                .notPermitted,
                "A proxy in front of \(address), not the music server, forbids the call (HTTP 403); \(pass).")
        case 407:
            self.init(
                .notPermitted,
                "The proxy to \(address) requires a login (HTTP 407); set proxy_user and proxy_password under [http].")
        case 404, 405, 410, 501:
            self.init(.unsupported, "\(address) does not know the call (HTTP \(code)). Is the address right?")
        case 408, 504: self.init(.timedOut, "\(address) took too long (HTTP \(code)).")
        case 413, 414, 431:
            self.init(
                .server(status: Int(code)),
                """
                A proxy in front of \(address) refuses a request of this length (HTTP \(code)). Raise its limit, \
                client_max_body_size in nginx.
                """)
        case 429: self.init(.rateLimited, "\(address) gets too many requests (HTTP 429).")
        case 502, 503:
            self.init(
                .server(status: Int(code)),
                "\(address) is not available (HTTP \(code)). Is the music server running behind its proxy?")
        default: self.init(.server(status: Int(code)), "\(address) failed (HTTP \(code)). See its log.")
        }
        if code == 429 || code == 503 { retryAfter = Self.pause(headers.first(name: "Retry-After")) }
        if status == .methodNotAllowed { cause = .methodNotAllowed }
    }

    /// No server may keep what waits for it away for longer than an hour, and no number may be too large to add.
    private static func pause(_ text: String?) -> Duration? {
        text.flatMap { Int($0) }.map { .seconds(min(max(0, $0), maxRetryAfter)) }
    }

    /// Where a server sends us, which is not followed because the credentials would go there.
    private static func redirection(_ location: String?, from address: String) -> String {
        let parts = location?.prefix { $0 != "?" && $0 != "#" }
            .split(separator: "/rest/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let there = parts.flatMap { ServerAddress($0[0]) }
        let shown = there?.shown.quotable(utf8: 300)
        guard let there, let shown, parts?.count == 2 else {
            return """
                \(address) redirects to \(shown ?? "another page"), which may be a login page in between: set \
                headers that let this machine pass under [navidrome].
                """
        }
        let isSame = ServerAddress(address).map { !$0.isEncrypted && $0.host == there.host } ?? false
        let whither = isSame && there.isEncrypted ? "to https" : "elsewhere"
        return "\(address) redirects \(whither). Configure \(shown) instead."
    }

    /// From an answer that can't be read.
    init(_ problem: JSONProblem, firstByte: UInt8?, address: String) {
        if firstByte == UInt8(ascii: "<") {
            self.init(
                .badAnswer,
                """
                \(address) answers with a web page instead of data. Is the address right? If it is a login page in \
                between, set the headers that let this machine pass under [navidrome].
                """
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
                self.init(.insecure, Self.distrust(error, of: address))
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

    /// Why there is no secure connection, if TLS tells.
    private static func distrust(_ error: any Error, of address: String) -> String {
        let said = String(describing: error)
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            return "The certificate of \(address) is for another name. Use the name in the certificate."
        }
        if let error = error as? NIOSSLError, error == .failedToLoadCertificate || error == .noSuchFilesystemObject {
            return "The certificate under [navidrome] can't be read: its file must exist, in PEM."
        }
        if said.contains("CERTIFICATE_VERIFY_FAILED") {
            return """
                No secure connection to \(address): its certificate is not trusted. It has expired, comes from \
                your own authority (set certificate under [navidrome] to its file), or lacks intermediate certificates.
                """
        }
        if ["WRONG_VERSION_NUMBER", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG"].contains(where: said.contains) {
            return "\(address) does not use TLS there. Is it http instead of https, or another port?"
        }
        return "No secure connection to \(address): TLS failed."
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
            "\(address) does not accept tokens, and only a token is stored. Put the password into the configuration."
        )
    }

    /// The song's bytes, or an answer's, ended before their announced end.
    static func brokenOff(_ address: String) -> SubsonicError {
        SubsonicError(.unreachable, "The connection to \(address) broke in the middle of a file.")
    }
}

/// Code 0 stands for everything that has no code of its own; only the message tells what it is.
/// - Source: `mapToSubsonicError` in `server/subsonic/api.go` of Navidrome, and `api/errors.py` of supysonic.
extension AnswerEnvelope.Failure {
    /// The beginning of the message, which says what happened; a hostile one may be long.
    private var said: String { message.prefix(utf8: 200).withoutExcessMarks.lowercased() }

    /// True if the server itself failed, such as at its database, and the same call may succeed later.
    fileprivate var isInternal: Bool {
        let said = said
        return said.hasPrefix("internal server error") || said.hasPrefix("internal error")
    }

    /// True if the server failed at opening a file or a program, in the words of Go.
    fileprivate var isOfFile: Bool {
        let said = said
        return ["open ", "exec: ", "fork/exec "].contains { said.hasPrefix("internal server error: \($0)") }
    }

    /// True if the server doesn't have the call, or not for such parameters.
    fileprivate var isOfUnknownCall: Bool {
        let said = said
        let absences: [String] = [
            "unknown method", "unknown search type", "not implemented", "not supported", "unsupported",
        ]
        return absences.contains { said.contains($0) }
    }
}
