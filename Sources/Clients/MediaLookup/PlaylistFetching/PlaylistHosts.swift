import Glibc
import MPDProtocol
import MusicModel
package import NetworkAddresses

/// Says which hosts may be asked for playlists, and at which address.
package struct PlaylistHosts: Sendable {
    let allowed: HostList
    var resolve: @Sendable (_ host: String) async throws -> [IPAddress] = Self.lookUp
    /// The networks that this machine is in, whatever their addresses look like.
    var ownNetworks: @Sendable () -> [AddressRange] = Self.networksOfThisMachine

    /// Allows the internet's hosts, and those in private networks that a list names.
    package init(allowed: HostList) { self.allowed = allowed }

    /// The address to connect to, and whether it is in a private network: in one that the configuration doesn't name
    /// only where `mayBePrivate`. Where a proxy looks the name up it need not be known here.
    /// - Throws: `AckError` 4 for a host that may not be asked, 52 for one that has no address.
    package func address(
        of host: String, mayBePrivate: Bool, isResolvedElsewhere: Bool = false
    ) async throws -> (address: String, isPrivate: Bool) {
        let addresses = try await resolve(host)
        guard let first = addresses.first else {
            if isResolvedElsewhere { return (host, false) }
            throw AckError(.system, "The server of the playlist can't be reached")
        }
        let networks = ownNetworks()
        let isPrivate = addresses.contains { address in
            !address.isPublic || networks.contains { $0.contains(address) }
        }
        guard !isPrivate || mayBePrivate || allowed.contains(name: host, addresses: addresses) else {
            throw AckError(
                .permission,
                "The server of the playlist is in a private network; private_hosts in [playlists] can allow it")
        }
        return (first.description, isPrivate)
    }

    @Sendable
    private static func lookUp(_ host: String) async throws -> [IPAddress] {
        if let address = IPAddress(host) { return [address] }
        return try await onThread {
            var hints = addrinfo()
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            hints.ai_flags = AI_ADDRCONFIG
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
            defer { freeaddrinfo(list) }
            var addresses: [IPAddress] = []
            var next = list
            while let entry = next?.pointee {
                if let address = entry.ai_addr.flatMap({ IPAddress($0) }) { addresses.append(address) }
                next = entry.ai_next
            }
            return addresses
        }
    }

    @Sendable
    private static func networksOfThisMachine() -> [AddressRange] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var networks: [AddressRange] = []
        var next = list
        while let entry = next?.pointee {
            if let own = entry.ifa_addr.flatMap({ IPAddress($0) }),
                let mask = entry.ifa_netmask.flatMap({ IPAddress($0) })
            {
                let isVersion4 = entry.ifa_addr.pointee.sa_family == sa_family_t(AF_INET)
                let bits = mask.bytes[(isVersion4 ? 12 : 0)...].reduce(0) { $0 + $1.nonzeroBitCount }
                networks.append(AddressRange(own, bits: bits + (isVersion4 ? 96 : 0)))
            }
            next = entry.ifa_next
        }
        return networks
    }
}
