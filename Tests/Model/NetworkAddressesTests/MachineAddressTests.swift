import Testing

@testable import NetworkAddresses

@Suite("Addresses of this machine")
struct MachineAddressTests {
    private func address(_ interface: String, _ address: String, physical: Bool = false) -> MachineAddress {
        MachineAddress(interface: interface, address: address, isPhysical: physical)
    }

    @Test("that of the default route comes first, bridges of containers last, however the system lists them")
    func order() {
        let all = [
            address("docker0", "172.17.0.1"), address("wg0", "10.9.0.2"),
            address("eth1", "203.0.114.5", physical: true),
            address("eth2", "169.254.7.7", physical: true), address("wlan0", "192.168.1.20", physical: true),
            address("eth0", "192.168.1.10", physical: true),
        ]
        #expect(
            MachineAddress.byReach(all, defaultRoute: "eth0").map(\.interface)
                == ["eth0", "wlan0", "eth1", "docker0", "wg0", "eth2"])
        // A bridge that the house's network hangs on is no container's.
        #expect(MachineAddress.byReach(all, defaultRoute: "docker0").first?.interface == "docker0")
        #expect(MachineAddress.byReach(all, defaultRoute: "wg0").first?.interface == "wlan0")
        #expect(MachineAddress.byReach(all, defaultRoute: nil).first?.interface == "wlan0")
    }

    @Test("the default route is the one with the smallest metric that is up")
    func route() {
        let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
        let table = """
            docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
            wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
            eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
            eth9\t00000000\t0101A8C0\t0002\t0\t0\t1\t00000000\t0\t0\t0
            """
        #expect(MachineAddress.defaultRoute(head + table) == "eth0")
        let odd = head + "eth0 00000000 0 zz 0 0 99999999999999999999 00000000"
        for text in ["", head, "x", head + "eth0\t00000000\n", odd] {
            #expect(MachineAddress.defaultRoute(text) == nil)
        }
    }
}
