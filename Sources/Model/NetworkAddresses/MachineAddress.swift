/// An address of this machine, with the interface that has it.
package struct MachineAddress: Hashable, Sendable {
    var interface: String
    /// As people type it, without brackets.
    package var address: String
    /// True if a device stands behind the interface, which a bridge or a tunnel lacks.
    package var isPhysical: Bool

    /// Describes one.
    package init(interface: String, address: String, isPhysical: Bool) {
        (self.interface, self.address, self.isPhysical) = (interface, address, isPhysical)
    }

    /// The addresses in the order in which other machines of the house reach them: that of the default route's
    /// interface first, then private ones of real interfaces, those of bridges, tunnels and containers last.
    package static func byReach(_ addresses: [MachineAddress], defaultRoute route: String?) -> [MachineAddress] {
        addresses.enumerated().sorted { one, other in
            let ranks = (one.element.rank(route), other.element.rank(route))
            return ranks.0 != ranks.1 ? ranks.0 < ranks.1 : one.offset < other.offset
        }.map(\.element)
    }

    private func rank(_ route: String?) -> Int {
        if address.hasPrefix("169.254.") { return 4 }
        // All of the internet may go through a tunnel, whose address no phone of the house reaches.
        let isTunnel = ["tun", "wg", "ppp", "tailscale", "zt"].contains { interface.hasPrefix($0) }
        if interface == route, !isTunnel { return 0 }
        guard isPhysical, !isTunnel else { return 3 }
        return IPAddress(address)?.isPublic == false ? 1 : 2
    }

    /// The interface of the default route in the text of `/proc/net/route`; nil where it has none.
    package static func defaultRoute(_ table: String) -> String? {
        var best: (interface: String, metric: Int)?
        for line in table.split(separator: "\n").dropFirst().prefix(10_000) {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000", let metric = Int(fields[6]),
                let flags = Int(fields[3], radix: 16), flags & 1 != 0
            else { continue }
            if best.map({ metric < $0.metric }) ?? true { best = (String(fields[0]), metric) }
        }
        return best?.interface
    }
}
