import MPDSessions
import MusicModel

extension ListenerAddress {
    private static let tlsScheme = "tls://"
    /// The maximum length of a path in a socket address.
    static let maxPathLength = 107

    /// Reads `host:port`, `[v6]:port`, one of them behind `tls://`, a path that starts with `/` or `~`, or `@name`.
    init(_ text: String, home: String?) throws(ValueComplaint) {
        if text.isAbsolutePath || text.hasPrefix("~") {
            self = .unix(path: try Self.socketPath(text, home: home))
        } else if text.hasPrefix("@") {
            guard (2...Self.maxPathLength + 1).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw ValueComplaint("the name after the @ must have 1 to \(Self.maxPathLength) bytes, without NUL")
            }
            self = .unix(path: text)
        } else if text.hasPrefix(Self.tlsScheme) {
            let (host, port) = try Self.hostAndPort(String(text.dropFirst(Self.tlsScheme.count)))
            self = .tls(host: host, port: port)
        } else {
            let (host, port) = try Self.hostAndPort(text)
            self = .tcp(host: host, port: port)
        }
    }

    private static func socketPath(_ text: String, home: String?) throws(ValueComplaint) -> String {
        let path = try AbsolutePath.expand(text, home: home)
        guard path.utf8.count <= maxPathLength else {
            throw ValueComplaint("the socket's path is longer than \(maxPathLength) bytes; use a shorter one")
        }
        return path
    }

    private static func hostAndPort(_ text: String) throws(ValueComplaint) -> (String, Int) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), let port = Int(text[text.index(after: colon)...]),
            !text.hasSuffix("]")
        else {
            throw ValueComplaint(
                "\"\(text)\" has no port; write host:port, [v6]:port, a path or @name, such as \"127.0.0.1:6600\"")
        }
        guard (0...65535).contains(port) else {
            throw ValueComplaint("\"\(text)\" has a port outside 0 to 65535")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw ValueComplaint("\"\(text)\" is ambiguous; put the IPv6 address into brackets: \"[\(host)]:\(port)\"")
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" }) else {
            throw ValueComplaint(
                "\"\(text)\" has no host; write \"0.0.0.0:\(port)\" or \"[::]:\(port)\" for every address")
        }
        return (host, port)
    }
}
