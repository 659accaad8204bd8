import NIOCore
import NIOHTTP1
import NetworkAddresses
import Testing

@testable import WebServer

@Suite("Proxies that are believed")
struct TrustedProxyTests {
    private static let proxies = TrustedProxies(
        ["127.0.0.1", "10.0.0.0/24", "fd00::/64"].compactMap { AddressRange($0) })

    private func sender(_ forwarded: [String], by peer: String = "127.0.0.1") throws -> String? {
        var headers: HTTPHeaders = ["forwarded": "for=192.0.2.99", "x-real-ip": "192.0.2.98"]
        for text in forwarded { headers.add(name: "X-Forwarded-For", value: text) }
        return try Self.proxies.sender(of: headers, by: SocketAddress(ipAddress: peer, port: 5)).flatMap(\.ipAddress)
    }

    private static let forwarded: [([String], String)] = [
        (["192.0.2.1"], "192.0.2.1"), (["198.51.100.7, 192.0.2.1"], "192.0.2.1"),
        (["198.51.100.7", "192.0.2.1"], "192.0.2.1"), (["127.0.0.1, 192.0.2.1"], "192.0.2.1"),
        (["127.0.0.1, 198.51.100.7,\t192.0.2.1 , 10.0.0.9"], "192.0.2.1"), (["rubbish, 192.0.2.1"], "192.0.2.1"),
        (["192.0.2.1:4711"], "192.0.2.1"), (["2001:db8::7"], "2001:db8::7"), (["[2001:db8::7]:80"], "2001:db8::7"),
        (["10.0.0.3, 10.0.0.9"], "10.0.0.3"), ([], "127.0.0.1"), (["::ffff:192.0.2.1"], "192.0.2.1"),
        ([String(repeating: "127.0.0.1,", count: 1500) + "192.0.2.1"], "192.0.2.1"),
    ]

    @Test("the client is the last address that is no proxy's", arguments: forwarded)
    func believed(forwarded: [String], client: String) throws {
        let expected = try SocketAddress(ipAddress: client, port: 0).ipAddress
        #expect(try sender(forwarded) == expected)
        #expect(try sender(forwarded, by: "10.0.0.200") == (forwarded.isEmpty ? "10.0.0.200" : expected))
    }

    @Test("others say of themselves what they like, and are who they are")
    func unbelieved() throws {
        for peer in ["192.0.2.50", "10.0.1.1", "fd00:0:0:1::1", "127.0.0.2"] {
            let own = try SocketAddress(ipAddress: peer, port: 0).ipAddress
            #expect(try sender(["127.0.0.1"], by: peer) == own)
            #expect(try sender(["rubbish"], by: peer) == own)
        }
        let none = try TrustedProxies().sender(
            of: ["x-forwarded-for": "192.0.2.1"], by: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        #expect(none?.ipAddress == "127.0.0.1")
    }

    @Test(
        "a proxy that names no address is no client",
        arguments: [
            "unknown", "192.0.2.1,", "127.0.0.1\t1", "127.0.0.1 192.0.2.1", ",", "192.0.2.1, _hidden", "192.0.2.256",
            "1.2.3.4:5:6", "[::1", "unix:", "0x7f000001",
            "127.1", "\u{661}27.0.0.1", "127.0.0.1\0", " ",
        ])
    func hostile(text: String) { #expect(throws: RequestRefusal.self) { try sender([text]) } }
}
