import NetworkAddresses
import Testing

@testable import SegueConfiguration

@Suite("Lists of hosts")
struct HostListTests {
    @Test("a list of hosts takes names and networks, and says what is neither")
    func hosts() throws {
        let playlists = try parse("[playlists]\nprivate_hosts = [\"NAS.local\", \"10.0.0.0/8\"]").playlists
        let inside = try #require(IPAddress("10.1.1.1"))
        let outside = try #require(IPAddress("192.168.0.1"))
        #expect(playlists.privateHosts.contains(name: "nas.LOCAL", addresses: [outside]))
        #expect(playlists.privateHosts.contains(name: "x", addresses: [inside]))
        #expect(!playlists.privateHosts.contains(name: "x", addresses: [inside, outside]))
        #expect(!playlists.privateHosts.contains(name: "x", addresses: []))
        #expect(throws: (any Error).self) { try parse("[playlists]\nprivate_hosts = [\"http://x/\"]") }
    }
}
