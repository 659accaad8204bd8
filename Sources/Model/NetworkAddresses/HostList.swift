/// Hosts that a list in the configuration names, or in whose networks they lie.
package struct HostList: Hashable, Sendable {
    private var names: Set<String> = []
    private var ranges: [AddressRange] = []

    /// Makes a list without hosts.
    package init() {}

    /// Lists hosts by their names, in any case, and by the networks in which they lie.
    package init(names: some Sequence<String>, ranges: [AddressRange]) {
        self.names = Set(names.map { $0.lowercased() })
        self.ranges = ranges
    }

    /// True if the list names the host, or a network in which all of its addresses lie.
    package func contains(name: String, addresses: [IPAddress]) -> Bool {
        names.contains(name.lowercased())
            || !addresses.isEmpty && addresses.allSatisfy { address in ranges.contains { $0.contains(address) } }
    }
}
