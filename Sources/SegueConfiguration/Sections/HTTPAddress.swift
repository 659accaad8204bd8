import Foundation

/// Addresses of servers and streams.
enum HTTPAddress {
    /// Checks an address and takes slashes off its end; messages don't repeat it, as it may hold a password.
    static func checked(_ text: String, allowsQuery: Bool) throws(ValueComplaint) -> String {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "http" || scheme == "https", let host = parts.host, !host.isEmpty
        else {
            throw ValueComplaint("is no http or https address, such as \"https://music.example.org\"")
        }
        guard parts.user == nil, parts.password == nil else {
            throw ValueComplaint("has a user or password in it; take them out of the address")
        }
        guard (1...65535).contains(parts.port ?? 80) else {
            throw ValueComplaint("has a port outside 1 to 65535")
        }
        guard allowsQuery || (parts.query == nil && parts.fragment == nil) else {
            throw ValueComplaint("has a ? or # part; write the address only up to there")
        }
        var address = text
        while !allowsQuery, address.hasSuffix("/") { address.removeLast() }
        return address
    }
}

/// Tells addresses in one's own network from those on the internet.
enum PrivateAddress {
    /// Whether requests to the address could be read by others on the way: plain http to a public host.
    static func isExposed(_ url: String) -> Bool {
        guard let parts = URLComponents(string: url), parts.scheme?.lowercased() == "http",
            let host = parts.host?.lowercased()
        else { return false }
        return !isPrivate(host.trimmingCharacters(in: ["[", "]"]))
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
        return !host.contains(".")
            || [".local", ".lan", ".internal", ".localhost", ".home.arpa"].contains { host.hasSuffix($0) }
    }
}
