import NIOCore
import NIOHTTP1
import NetworkAddresses

/// Proxies that are believed when they say for whom they ask. Only `X-Forwarded-For` is read: a proxy hands on fields
/// that it doesn't write itself as its client sent them, so that of two fields one would be the client's own word.
struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// Trusts the proxies at these addresses.
    init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

    /// True if a connection comes from one of them.
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
