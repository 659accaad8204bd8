import NetworkAddresses
import NIOCore
import NIOHTTP1

/// Decides which requests are read at all: the defence against other websites in the same browser. A name that anyone
/// on the internet can own is refused, since its owner could let it point here (DNS rebinding). A request that changes
/// something has to come from a page of this server, or from a program, which sends neither an origin nor a cookie.
struct RequestGuard: Sendable {
    var names: OwnNames
    /// Other websites whose pages may use the interface, as `Origin` has them.
    var origins: Set<String>

    /// Makes a guard that also knows the machine's own name.
    init(hosts: [String] = [], origins: [String] = []) {
        names = OwnNames(hosts)
        self.origins = Set(origins.map { $0.lowercased() })
    }

    /// Lets a request through or says why not. `isLoopback` ones came by an address that only this machine has, where
    /// no name of the home network leads: any device may own one, and let it point there.
    func check(_ head: HTTPRequestHead, isLoopback: Bool = false) throws(RequestRefusal) {
        let hosts = head.headers["host"]
        guard hosts.count == 1, let host = hosts.first, !host.isEmpty else {
            throw RequestRefusal(.badRequest, "The request names no host, or several.")
        }
        guard names.contain(host, isLoopback: isLoopback) else {
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
    func allowedOrigin(_ headers: HTTPHeaders) -> String? {
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
}

/// Proxies that are believed when they say for whom they ask. Only `X-Forwarded-For` is read: a proxy hands on fields
/// that it doesn't write itself as its client sent them, so that of two fields one would be the client's own word.
struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

    func contain(_ address: SocketAddress?) -> Bool {
        guard !ranges.isEmpty, let address = address?.ipAddress.flatMap({ IPAddress($0) }) else { return false }
        return contain(address)
    }

    private func contain(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// The client whose request came by a connection from `peer`: the last address that no trusted proxy has. Those
    /// before it are what that one says itself.
    func sender(of headers: HTTPHeaders, by peer: SocketAddress?) throws(RequestRefusal) -> SocketAddress? {
        guard contain(peer) else { return peer }
        let named = headers["x-forwarded-for"].joined(separator: ",")
        guard !named.isEmpty else { return peer }
        var sender: IPAddress?
        for entry in named.split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard let address = Self.address(entry) else {
                throw RequestRefusal(.badRequest, "The proxy names no address in X-Forwarded-For.")
            }
            sender = address
            if !contain(address) { break }
        }
        return sender.flatMap { try? SocketAddress(ipAddress: $0.description, port: 0) }
    }

    /// An address, behind which some proxies write a port.
    private static func address(_ text: Substring) -> IPAddress? {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        if text.first == "[" { return text.firstIndex(of: "]").flatMap { IPAddress(String(text.dropFirst()[..<$0])) } }
        let isOfVersion4 = text.contains(".") && text.count { $0 == ":" } == 1
        return IPAddress(String(isOfVersion4 ? text.prefix { $0 != ":" } : text))
    }
}
