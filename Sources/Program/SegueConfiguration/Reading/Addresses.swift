import Foundation
import MPDSessions
import MusicModel
import NetworkAddresses
import Outputs

enum HTTPAddress {
    /// Checks an address and takes slashes off its end; messages don't repeat it, as it may hold a password.
    static func checked(_ text: String, allowsQuery: Bool) throws(ValueComplaint) -> String {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty
        else { throw ValueComplaint("is not an http or https address such as \"https://music.example.org\"") }
        guard parts.user == nil, parts.password == nil else {
            throw ValueComplaint("contains a user or password; remove them from the address")
        }
        guard (1...65535).contains(parts.port ?? 80) else { throw ValueComplaint("has a port outside 1 to 65535") }
        guard allowsQuery || (parts.query == nil && parts.fragment == nil) else {
            throw ValueComplaint("has a ? or # part; remove it")
        }
        return allowsQuery ? text : String(text.withoutLastSlashes)
    }

    /// The address of a Navidrome from that of its page as a browser shows it, which ends in `/app/` and a fragment.
    static func withoutPage(_ text: String) -> String {
        let path = text.prefix { $0 != "#" && $0 != "?" }.withoutLastSlashes
        guard path.hasSuffix("/app"), !path.hasSuffix("//app") else { return text }
        return String(path.dropLast(4))
    }
}

extension Configuration {
    /// Checks the address of a server as `[navidrome] url` is, and takes slashes off its end; it is exposed by plain
    /// http to a host that is not in a private network. Errors don't quote it, as it may hold a password.
    package static func serverAddress(_ text: String) throws(ConfigurationError) -> (url: String, isExposed: Bool) {
        do {
            let url = try HTTPAddress.checked(HTTPAddress.withoutPage(text), allowsQuery: false)
            return (url, PrivateAddress.isExposed(url))
        } catch { throw ConfigurationError(message: "the server's address \(error.message)") }
    }
}

enum PrivateAddress {
    /// True if others on the way could read requests to the address: plain http to a public host.
    static func isExposed(_ url: String) -> Bool {
        guard let parts = URLComponents(string: url), parts.scheme?.lowercased() == "http",
            let host = parts.host?.lowercased()
        else { return false }
        return !isPrivate(host.trimmingCharacters(in: ["[", "]"]))
    }

    /// True if a host is this machine by a name or number that stands for nothing else.
    static func isLoopback(_ host: String) -> Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }

    /// Addresses that are not the internet's; names without a dot or in a home's domains.
    private static func isPrivate(_ host: String) -> Bool {
        if let address = IPAddress(host) { return !address.isPublic }
        // A number without dots is an address too.
        return !host.contains(".") && !host.contains(":") && host.first?.isNumber == false
            || [".local", ".lan", ".internal", ".localhost", ".home.arpa"].contains { host.hasSuffix($0) }
    }
}

enum AbsolutePath {
    /// Replaces a leading `~` by the user's folder and takes slashes off the end. Relative paths are refused: a
    /// daemon's working directory means nothing to its user.
    static func expand(_ text: String, home: String?) throws(ValueComplaint) -> String {
        guard !text.utf8.contains(where: { $0 < 0x20 }) else {
            throw ValueComplaint("the path contains a control character")
        }
        var path = text
        if text == "~" || text.hasPrefix("~/") {
            guard let home else {
                throw ValueComplaint("\"~\" means nothing to a user without a HOME; write the whole path")
            }
            path = home + text.dropFirst()
        }
        // An address may have a password in it, which is not repeated.
        guard !path.contains("://") else {
            throw ValueComplaint(
                "an address is not a folder: mount it with `mpc mount NAME ADDRESS`, or in the system and name "
                    + "its folder")
        }
        guard path.isAbsolutePath else {
            throw ValueComplaint("\"\(text)\" must be an absolute path, or start with \"~/\"")
        }
        return String(path.withoutLastSlashes)
    }
}

extension ValueKind where Value == [String] {
    static func folders(home: String?) -> ValueKind {
        .list("a list of folders' paths") { text throws(ValueComplaint) in try AbsolutePath.expand(text, home: home) }
    }
}

extension ValueKind where Value == RecordingFormat {
    static func recordingFormat(home: String?) -> ValueKind {
        ValueKind(expected: "a path with the names of tags in it") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            do throws(SettingProblem) { return try RecordingFormat(text, home: home) } catch {
                throw ValueComplaint(error.description)
            }
        }
    }
}

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
        guard (0...65535).contains(port) else { throw ValueComplaint("\"\(text)\" has a port outside 0 to 65535") }
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

extension HostList {
    /// Reads host names, addresses and ranges of addresses.
    init(_ texts: [String]) throws(ValueComplaint) {
        var (names, ranges): ([String], [AddressRange]) = ([], [])
        for text in texts {
            if let range = AddressRange(text) {
                ranges.append(range)
            } else if text.wholeMatch(of: #/[A-Za-z0-9._\-]+/#) == nil {
                throw ValueComplaint(
                    "\"\(text)\" is not a host; write a name, an address or a network such as \"192.168.1.0/24\"")
            } else {
                names.append(text)
            }
        }
        self.init(names: names, ranges: ranges)
    }
}

extension ValueKind where Value == HostList {
    /// A list of hosts; it may be empty, and a single one may stand without brackets.
    static var hosts: ValueKind {
        ValueKind(expected: "a list of host names, addresses or networks such as \"192.168.1.0/24\"") {
            node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            return try HostList(texts)
        }
    }
}
