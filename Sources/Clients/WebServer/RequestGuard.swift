import Glibc
import NetworkAddresses
package import NIOHTTP1

/// Decides which requests are read at all: the defence against other websites in the same
/// browser.
///
/// A name that anyone on the internet can own is refused, since its owner could let it point here (DNS rebinding).
/// A request that changes something has to come from a page of this server, or from a program, which sends neither an
/// origin nor a cookie.
package struct RequestGuard: Sendable {
    /// Further names by which this server is reached.
    package var hosts: Set<String>
    /// Other websites whose pages may use the interface, as `Origin` has them.
    package var origins: Set<String>

    /// Makes a guard that knows the machine's own name besides.
    package init(hosts: [String] = [], origins: [String] = []) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.origins = Set(origins.map { $0.lowercased() })
        if let name = Self.ownName { self.hosts.insert(name) }
    }

    /// Lets a request through or says why not.
    ///
    /// - Parameter isLoopback: whether it came by an address that only this machine has. Of the home network's names
    ///   any device may own one, and let it point there.
    /// - Throws: `RequestRefusal`: 400 without one host, 421 for a foreign name, 403 for a foreign origin, 415 for a
    ///   body that a form could have sent.
    package func check(_ head: HTTPRequestHead, isLoopback: Bool = false) throws(RequestRefusal) {
        let hosts = head.headers["host"]
        guard hosts.count == 1, let host = hosts.first, !host.isEmpty else {
            throw RequestRefusal(.badRequest, "The request names no host, or several.")
        }
        guard isOwn(host, isLoopback: isLoopback) else {
            throw RequestRefusal(
                .misdirectedRequest,
                "This server doesn't answer to that name. Use its address, or add the name to [web] hosts.")
        }
        let isUpgrade = head.headers.contains(name: "upgrade")
        let isReading = head.method == .GET || head.method == .HEAD
        if !isReading || isUpgrade { try checkOrigin(head, host) }
        if !isReading { try checkType(head) }
    }

    /// The value for `Access-Control-Allow-Origin`, where the configuration lets the website in.
    package func allowedOrigin(_ headers: HTTPHeaders) -> String? {
        guard !origins.isEmpty, let origin = headers.first(name: "origin"), origins.contains(origin.lowercased()) else {
            return nil
        }
        return origin
    }

    private func checkOrigin(_ head: HTTPRequestHead, _ host: String) throws(RequestRefusal) {
        let found = head.headers["origin"]
        guard let origin = found.first else {
            guard !head.headers.contains(name: "cookie") else {
                throw RequestRefusal(.forbidden, "A request with a cookie has to name its origin.")
            }
            return
        }
        let authority = origin.split(separator: "://", maxSplits: 1).last.map(String.init) ?? ""
        let isOwn = origin.contains("://") && authority.lowercased() == host.lowercased()
        guard found.count == 1, isOwn || origins.contains(origin.lowercased()) else {
            throw RequestRefusal(.forbidden, "Pages of other websites may not do this.")
        }
    }

    private func checkType(_ head: HTTPRequestHead) throws(RequestRefusal) {
        let hasBody =
            head.headers.contains(name: "transfer-encoding")
            || head.headers.first(name: "content-length").map { $0 != "0" } ?? false
        guard hasBody else { return }
        let type = head.headers.first(name: "content-type")?.split(separator: ";").first?.lowercased()
        guard type == "application/json" else {
            throw RequestRefusal(.unsupportedMediaType, "Send JSON, with Content-Type: application/json.")
        }
    }

    /// Whether a name can't be owned by a stranger.
    private func isOwn(_ host: String, isLoopback: Bool) -> Bool {
        guard let name = Self.name(of: host)?.lowercased() else { return false }
        if Self.isAddress(name) || name == "localhost" || name.hasSuffix(".localhost") { return true }
        if hosts.contains(name) { return true }
        let ending = [".local", ".home.arpa", ".internal"].first { name.hasSuffix($0) }
        if isLoopback { return ending.map { hosts.contains(String(name.dropLast($0.count))) } ?? false }
        return ending != nil || !name.contains(".")
    }

    /// The name in `name:port`; nil for what is neither.
    private static func name(of host: String) -> String? {
        let allowed = host.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || "-._:[]%".utf8.contains($0)
        }
        guard allowed, host.utf8.count <= 255 else { return nil }
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            let port = host[host.index(after: end)...]
            guard port.isEmpty || isPort(port) else { return nil }
            return String(host[host.index(after: host.startIndex)..<end])
        }
        guard let colon = host.firstIndex(of: ":") else { return host }
        return isPort(host[colon...]) ? String(host[..<colon]) : nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.dropFirst().allSatisfy(\.isNumber) && text.count <= 6
    }

    private static func isAddress(_ name: String) -> Bool { IPAddress(name) != nil }

    private static var ownName: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
        return text.isEmpty ? nil : text
    }
}
