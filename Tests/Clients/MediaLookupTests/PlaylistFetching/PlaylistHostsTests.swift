import AsyncHTTPClient
import MPDProtocol
import NIOHTTP1
import NetworkAddresses
import Testing

@testable import MediaLookup

@Suite("Where playlists of web servers may stand")
struct PlaylistHostsTests {
    private func hosts(_ addresses: [String], allowing names: [String] = []) throws -> PlaylistHosts {
        var hosts = PlaylistHosts(allowed: HostList(names: names, ranges: []))
        let found = addresses.compactMap { IPAddress($0) }
        hosts.resolve = { _ in found }
        hosts.ownNetworks = { [AddressRange("203.0.113.0/24")].compactMap { $0 } }
        return hosts
    }

    @Test("a host of the internet is asked at the address that was checked")
    func open() async throws {
        let place = try await hosts(["1.1.1.1", "1.0.0.1"]).address(of: "h", mayBePrivate: false)
        #expect(place.address == "1.1.1.1" && !place.isPrivate)
    }

    @Test(
        "a host with any address in a private network, or in one of this machine's, is refused unless it is named",
        arguments: [["127.0.0.1"], ["1.1.1.1", "192.168.0.1"], ["::1"], ["169.254.169.254"], ["203.0.113.9"]])
    func refused(addresses: [String]) async throws {
        let error = await #expect(throws: AckError.self) {
            try await hosts(addresses).address(of: "nas", mayBePrivate: false)
        }
        #expect(error?.code == .permission)
        let named = try await hosts(addresses, allowing: ["NAS"]).address(of: "nas", mayBePrivate: false)
        #expect(named.isPrivate)
        #expect(try await hosts(addresses).address(of: "nas", mayBePrivate: true).isPrivate)
    }

    @Test("a host without an address can't be reached")
    func nowhere() async throws {
        let error = await #expect(throws: AckError.self) {
            try await hosts([]).address(of: "h", mayBePrivate: true)
        }
        #expect(error?.code == .system)
    }

    @Test("the loopback addresses of this machine are among its networks, and numbers in odd forms are resolved")
    func own() async throws {
        let hosts = PlaylistHosts(allowed: HostList())
        for host in ["127.0.0.1", "0x7f.1", "2130706433", "localhost"] {
            await #expect(throws: AckError.self) { try await hosts.address(of: host, mayBePrivate: false) }
        }
    }

    @Test("a playlist of the internet leads to streams of the internet, and to the hosts that are named")
    func streams() async throws {
        var hosts = PlaylistHosts(allowed: HostList(names: ["nas"], ranges: []))
        let addresses = ["open": "1.1.1.1", "nas": "192.168.0.9", "router": "192.168.0.1", "127.0.0.1": "127.0.0.1"]
        hosts.resolve = { host in addresses[host].flatMap { IPAddress($0) }.map { [$0] } ?? [] }
        hosts.ownNetworks = { [] }
        let playlists = RemotePlaylists(hosts: hosts)
        let named = [
            "http://router/reboot", "http://open/live", "https://NAS:8000/live", "http://127.0.0.1:4533/x",
            "http://unknown/live", "file:///etc/passwd", "http://ada:secret@router/x", "http://open/other",
        ]
        #expect(
            await playlists.allowed(named, mayBePrivate: false) == [
                "http://open/live", "https://NAS:8000/live", "http://unknown/live", "http://open/other",
            ])
        #expect(await playlists.allowed(named, mayBePrivate: true) == named)
    }

    @Test("a name server that does not answer leads to no stream")
    func silence() async throws {
        var hosts = PlaylistHosts(allowed: HostList())
        hosts.resolve = { _ in
            try await Task.sleep(for: .seconds(600))
            return []
        }
        let playlists = RemotePlaylists(hosts: hosts, timeout: .milliseconds(50))
        #expect(await playlists.allowed(["http://open/live"], mayBePrivate: false) == [])
    }

    @Test("only http and https are followed, and credentials stay with their server")
    func targets() throws {
        let start = try #require(PlaylistTarget("http://me:se%40cret@H.example:80/a/b.m3u?x=1#f"))
        #expect(start.url == "http://h.example:80/a/b.m3u?x=1" && start.host == "h.example")
        #expect(start.request.headers.contains(name: "authorization"))
        let same = try #require(start.redirected(to: "../c.m3u"))
        #expect(same.url == "http://h.example:80/c.m3u" && same.request.headers.contains(name: "authorization"))
        let other = try #require(start.redirected(to: "https://h.example/c.m3u"))
        #expect(!other.request.headers.contains(name: "authorization"))
        #expect(PlaylistTarget("http://[::1]:8000/x")?.host == "::1")
        for url in ["file:///etc/passwd", "ftp://h/x", "http://", "http:///x", "gopher://h", "http://h%2e/x", "x"] {
            #expect(PlaylistTarget(url) == nil, "\(url)")
            #expect(url == "x" || start.redirected(to: url) == nil, "\(url)")
        }
    }
}
