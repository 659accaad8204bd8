import Testing

@testable import NetworkAddresses

@Suite("Addresses and networks")
struct AddressRangeTests {
    @Test("addresses of this machine, of private networks and of one link are told from the internet's")
    func isPublic() throws {
        for text in [
            "127.0.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
            "100.64.0.1", "100.127.255.255", "224.0.0.1", "255.255.255.255", "198.18.0.1", "::1", "::", "fe80::1",
            "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1",
            "2002:7f00:1::", "2001:db8::1", "2001::1", "::127.0.0.1",
        ] {
            #expect(try #require(IPAddress(text)).isPublic == false, "\(text)")
        }
        for text in [
            "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.0", "223.255.255.255",
            "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::", "2001:4860::8888",
        ] {
            #expect(try #require(IPAddress(text)).isPublic, "\(text)")
        }
        for text in ["", "1.2.3", "1.2.3.4.5", "localhost", "0x7f.1", "2130706433", "::g", "1.2.3.4%eth0"] {
            #expect(IPAddress(text) == nil, "\(text)")
        }
    }

    @Test("an address is written as sockets take it")
    func text() throws {
        for text in ["192.168.1.10", "2606:4700::1111", "::1"] {
            let address = try #require(IPAddress(text))
            #expect(IPAddress(address.description) == address)
        }
        #expect(IPAddress("::ffff:8.8.4.4")?.description == "8.8.4.4")
    }

    @Test("ranges hold the addresses that begin alike")
    func ranges() throws {
        let address = try #require(IPAddress("192.168.1.77"))
        for (text, holds) in [
            ("192.168.1.77", true), ("192.168.1.78", false), ("192.168.1.64/26", true), ("192.168.1.128/25", false),
            ("0.0.0.0/0", true), ("::ffff:192.168.0.0/112", true), ("::/0", true), ("fd00::/8", false),
        ] {
            #expect(try #require(AddressRange(text)).contains(address) == holds, "\(text)")
        }
        for text in ["", "/", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/x", "1.2.3.4/8/8", "::/129", "host/8"] {
            #expect(AddressRange(text) == nil, "\(text)")
        }
    }

    @Test("a list of hosts names them in any case, or the networks in which all of their addresses lie")
    func hosts() throws {
        let list = HostList(names: ["NAS.local"], ranges: [try #require(AddressRange("10.0.0.0/8"))])
        let inside = try #require(IPAddress("10.1.1.1"))
        let outside = try #require(IPAddress("192.168.0.1"))
        #expect(list.contains(name: "nas.LOCAL", addresses: [outside]))
        #expect(list.contains(name: "x", addresses: [inside]))
        #expect(!list.contains(name: "x", addresses: [inside, outside]))
        #expect(!list.contains(name: "x", addresses: []))
    }
}
