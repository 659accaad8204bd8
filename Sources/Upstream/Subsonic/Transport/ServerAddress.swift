/// A server's address, taken apart and checked.
struct ServerAddress: Hashable, Sendable {
    /// True if the connection is encrypted.
    let isEncrypted: Bool
    /// Scheme, host, port and path, without a slash at the end. Free of credentials, so it may be shown.
    let shown: String
    /// A name, or an IP address without brackets.
    let host: String

    /// Checks a URL; nil unless it is `http://` or `https://` with a host, and without user, query and fragment.
    init?(_ url: String) {
        let lowercased = url.prefix(8).lowercased()
        let scheme: String
        if lowercased == "https://" {
            scheme = "https://"
        } else if lowercased.hasPrefix("http://") {
            scheme = "http://"
        } else {
            return nil
        }
        let rest = url.dropFirst(scheme.count)
        let forbidden = rest.unicodeScalars.contains {
            "@?#\\\"<>".unicodeScalars.contains($0) || $0.value <= 0x20 || $0.value >= 0x7F
        }
        if forbidden { return nil }
        let authority = rest.prefix { $0 != "/" }
        guard let host = Self.host(of: authority) else { return nil }
        var path = rest.dropFirst(authority.count)
        while path.last == "/" { path = path.dropLast() }
        self.host = host
        isEncrypted = scheme == "https://"
        shown = scheme + authority + path
    }

    private static func host(of authority: Substring) -> String? {
        var host = authority
        // A colon inside brackets belongs to an IPv6 address.
        if let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")), !authority[colon...].contains("]") {
            guard let port = UInt16(authority[authority.index(after: colon)...]), port > 0 else { return nil }
            host = authority[..<colon]
        }
        return host.isEmpty ? nil : String(host)
    }

    func url(of call: String) -> String { "\(shown)/rest/\(call).view" }
}
