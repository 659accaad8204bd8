import Foundation

/// Addresses of servers and streams.
enum HTTPAddress {
    /// Checks an address and takes slashes off its end; messages don't repeat it, as it may hold a password.
    static func checked(_ text: String, allowsQuery: Bool) throws(ValueComplaint) -> String {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty
        else {
            throw ValueComplaint("is not an http or https address such as \"https://music.example.org\"")
        }
        guard parts.user == nil, parts.password == nil else {
            throw ValueComplaint("contains a user or password; remove them from the address")
        }
        guard (1...65535).contains(parts.port ?? 80) else {
            throw ValueComplaint("has a port outside 1 to 65535")
        }
        guard allowsQuery || (parts.query == nil && parts.fragment == nil) else {
            throw ValueComplaint("has a ? or # part; remove it")
        }
        var address = text
        while !allowsQuery, address.hasSuffix("/") { address.removeLast() }
        return address
    }

    /// The address of a Navidrome from that of its page as a browser shows it, which ends in `/app/` and a fragment.
    static func withoutPage(_ text: String) -> String {
        var path = text.prefix { $0 != "#" && $0 != "?" }
        while path.last == "/" { path.removeLast() }
        guard path.hasSuffix("/app"), !path.hasSuffix("//app") else { return text }
        return String(path.dropLast(4))
    }
}

extension Configuration {
    /// Checks the address of a server as `[navidrome] url` is.
    ///
    /// - Returns: the address without slashes at its end, and whether requests to it could be read on the way: plain
    ///   http to a host that is not in a private network.
    /// - Throws: `ConfigurationError` without the address in it, as it may hold a password.
    package static func serverAddress(_ text: String) throws(ConfigurationError) -> (url: String, isExposed: Bool) {
        do {
            let url = try HTTPAddress.checked(HTTPAddress.withoutPage(text), allowsQuery: false)
            return (url, PrivateAddress.isExposed(url))
        } catch {
            throw ConfigurationError(code: .value, message: "the server's address \(error.message)")
        }
    }
}

/// Tells addresses in one's own network from those on the internet.
enum PrivateAddress {
    /// True if others on the way could read requests to the address: plain http to a public host.
    static func isExposed(_ url: String) -> Bool {
        guard let parts = URLComponents(string: url), parts.scheme?.lowercased() == "http",
            let host = parts.host?.lowercased()
        else { return false }
        return !isPrivate(host.trimmingCharacters(in: ["[", "]"]))
    }

    /// True if a host is this machine by a name or number that stands for nothing else.
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).compactMap { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127
    }

    /// Loopback, private, link-local and carrier-grade NAT addresses; names without a dot or in a home's domains.
    private static func isPrivate(_ host: String) -> Bool {
        if host.contains(":") {
            return host == "::1" || ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) }
        }
        let numbers = host.split(separator: ".").compactMap { UInt8($0) }
        if numbers.count == 4, host.split(separator: ".").count == 4 {
            return switch (numbers[0], numbers[1]) {
            case (10, _), (127, _), (192, 168), (169, 254), (172, 16...31), (100, 64...127): true
            default: false
            }
        }
        // A number without dots is an address too.
        return !host.contains(".") && host.first?.isNumber == false
            || [".local", ".lan", ".internal", ".localhost", ".home.arpa"].contains { host.hasSuffix($0) }
    }
}
