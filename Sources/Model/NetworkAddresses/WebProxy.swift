import Foundation

/// A proxy through which other servers are asked over HTTP, and which of them are asked directly.
package struct WebProxy: Hashable, Sendable {
    /// Its name or address.
    package let host: String
    /// 3128 where the address has none.
    package let port: Int
    /// The user that it asks for; nil for none.
    package var user: String?
    /// The user's password.
    package var password: String?
    /// Names that are asked directly, with all below them, in lower case; `*` is every one.
    private var directNames: Set<String> = []
    private var directRanges = Self.loopback

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

    /// Reads an address such as `http://proxy.example.org:3128`; nil for anything else.
    /// - Parameter direct: names with all below them, addresses and ranges that are asked directly, as is this machine.
    package init?(_ address: String, direct: [String] = []) {
        guard let parts = URLComponents(string: address.contains("://") ? address : "http://" + address),
            parts.scheme?.lowercased() == "http", let host = parts.host, !host.isEmpty,
            ["", "/"].contains(parts.path), parts.query == nil, parts.fragment == nil
        else { return nil }
        let port = parts.port ?? 3128
        guard (1...65_535).contains(port) else { return nil }
        (self.host, self.port) = (host.trimmingCharacters(in: ["[", "]"]), port)
        (user, password) = (parts.user, parts.password)
        for entry in direct {
            if let range = AddressRange(entry) {
                directRanges.append(range)
            } else {
                let name = entry.lowercased().drop { $0 == "." }
                if !name.isEmpty { directNames.insert(String(name)) }
            }
        }
    }

    /// The proxy of `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`; nil without one.
    package init?(environment: [String: String]) {
        // In capitals HTTP_PROXY can come from the header of a request, where a web server starts programs.
        let names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"]
        guard let address = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else { return nil }
        let direct = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        self.init(
            address,
            direct: direct.split { $0 == "," || $0 == " " }.map { String($0.hasPrefix("*.") ? $0.dropFirst(2) : $0) })
    }

    /// The address without user and password.
    package var address: String { "http://" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    /// True if a host, by its name or its address, is asked through the proxy.
    package func isUsed(for host: String) -> Bool {
        let host = host.lowercased().trimmingCharacters(in: ["[", "]"])
        if host == "localhost" || host.hasSuffix(".localhost") || directNames.contains("*") { return false }
        if let address = IPAddress(host) { return !directRanges.contains { $0.contains(address) } }
        var rest = Substring(host)
        while !rest.isEmpty {
            if directNames.contains(String(rest)) { return false }
            guard let dot = rest.firstIndex(of: ".") else { break }
            rest = rest[rest.index(after: dot)...]
        }
        return true
    }

    /// True if what stands at a URL is asked for through the proxy.
    package func isUsed(forURL url: String) -> Bool {
        guard let host = URLComponents(string: url)?.host else { return false }
        return isUsed(for: host)
    }
}
