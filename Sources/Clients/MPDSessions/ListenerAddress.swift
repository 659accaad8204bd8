import Glibc
package import MusicModel

/// Where a server waits for clients.
package enum ListenerAddress: Hashable, Sendable, CustomStringConvertible {
    /// A host name or numeric address, or `*` for every interface, and a port; port 0 lets the system choose.
    case tcp(host: String, port: Int)
    /// The same for clients that speak TLS.
    case tls(host: String, port: Int)
    /// The path of a Unix socket, or `@` and the name of one that has no file.
    case unix(path: String)

    /// The address as a configuration has it.
    package var description: String {
        switch self {
        case .tcp(let host, let port): Self.text(host, port)
        case .tls(let host, let port): "tls://" + Self.text(host, port)
        case .unix(let path): path
        }
    }

    private static func text(_ host: String, _ port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// Why a server can't wait for clients; the text names the address and the cure.
package struct ListenError: ChainedError, Hashable, Sendable {
    /// One line for a person.
    package var message: String
    package private(set) var origin: ErrorOrigin

    /// Makes an error.
    package init(_ message: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line) {
        self.message = message
        origin = ErrorOrigin(cause, file: file, line: line)
    }

    /// The message.
    package var description: String { message }

    static func malformed(_ text: String) -> ListenError {
        ListenError(
            "\"\(text)\" is not an address to listen on: write host:port, [v6]:port, the path of a Unix socket, or @name."
        )
    }

    static func binding(
        _ address: ListenerAddress, code: CInt, reason: String, cause: (any Error)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) -> ListenError {
        let failure = "Cannot listen on \(address): "
        var error =
            switch code {
            case EADDRINUSE:
                ListenError(
                    failure + "another program uses it, perhaps mpd. Stop that one (systemctl stop mpd.socket mpd) or "
                        + "choose another port under [server] listen.")
            case EACCES, EPERM:
                ListenError(
                    failure + "permission denied. Choose a port above 1023, or a directory that this user may write to."
                )
            case EADDRNOTAVAIL:
                ListenError(failure + "this machine has no such address. Choose one of its own, or * for all of them.")
            case ENOENT, ENOTDIR:
                ListenError(failure + "the directory does not exist. Create it, or choose another path.")
            default:
                ListenError(failure + reason)
            }
        error.origin = ErrorOrigin(cause, file: file, line: line)
        return error
    }
}
