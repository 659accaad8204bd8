import Glibc
package import MusicModel
import NIOCore

/// Where a server waits for clients.
package enum ListenerAddress: Hashable, Sendable, CustomStringConvertible {
    /// A host name or numeric address, or `*` for every interface, and a port; port 0 lets the system choose.
    case tcp(host: String, port: Int)
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

    /// Takes note of where it is made.
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

/// A Unix socket with a name in place of a file (unix(7), "abstract"): every user of the machine may connect to it.
package struct AbstractSocket: Hashable, Sendable {
    /// The name, without the `@` or the NUL in front.
    package let name: String

    /// The longest name, in bytes: the address has one more for the NUL.
    package static let maxNameLength = 107

    /// Takes an address of the form `@name`; nil for any other, and for names that no socket can have.
    package init?(_ address: String) {
        let name = String(address.dropFirst())
        guard address.hasPrefix("@"), (1...Self.maxNameLength).contains(name.utf8.count), !name.utf8.contains(0) else {
            return nil
        }
        self.name = name
    }

    /// A new descriptor that listens under the name, for the caller to close; throws `IOError`.
    package func listen(backlog: CInt) throws -> CInt {
        try descriptor(for: "bind") { descriptor, address, size in
            guard bind(descriptor, address, size) == 0 else { return -1 }
            return Glibc.listen(descriptor, backlog)
        }
    }

    /// A new descriptor that is connected to the server of that name, for the caller to close; throws `IOError`.
    package func connect() throws -> CInt { try descriptor(for: "connect") { Glibc.connect($0, $1, $2) } }

    private func descriptor(
        for call: String, _ prepare: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        guard withAddress({ prepare(descriptor, $0, $1) }) == 0 else {
            let code = errno
            close(descriptor)
            throw IOError(errnoCode: code, reason: call)
        }
        return descriptor
    }

    /// The address ends with the name: trailing NULs would be a part of it.
    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? MemoryLayout<sa_family_t>.size
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            for (index, byte) in name.utf8.enumerated() { path[index + 1] = byte }
        }
        let size = socklen_t(start + 1 + name.utf8.count)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }
}
