import Crypto
package import MPDCommands
package import MPDProtocol
import MusicModel
package import NetworkAddresses

/// The permissions of clients before they send a password, by where they come from.
package struct AccessRules: Hashable, Sendable {
    /// The permissions of the clients of a network.
    package struct Host: Hashable, Sendable {
        /// The network, of either version: one of IPv6 has no addresses of IPv4.
        package var network: AddressRange
        /// Without a password they have these.
        package var permission: Permission

        /// Describes a network.
        package init(_ network: AddressRange, _ permission: Permission) {
            (self.network, self.permission) = (network, permission)
        }

        func contains(_ other: IPAddress) -> Bool {
            AddressRange(other, bits: 128).address.count == network.address.count && network.contains(other)
        }
    }

    /// The permissions of a client where nothing else is said.
    package var defaultPermission: Permission
    /// The permissions of a client of a Unix socket; nil is the default.
    package var localPermission: Permission?
    /// The permissions of clients in certain networks; the narrowest network that has the client counts.
    package var hosts: [Host]

    /// Collects rules.
    package init(defaultPermission: Permission = .everything, localPermission: Permission? = nil, hosts: [Host] = []) {
        (self.defaultPermission, self.localPermission) = (defaultPermission, localPermission)
        self.hosts = hosts
    }

    /// A digest of all rules, which changes with each of them.
    package var fingerprint: String {
        var bytes: [UInt8] = [defaultPermission.rawValue, localPermission?.rawValue ?? .max]
        for host in hosts {
            let address = host.network.address
            bytes += [UInt8(clamping: address.count), UInt8(clamping: host.network.prefixLength)] + address
            bytes.append(host.permission.rawValue)
        }
        return SHA256.hash(data: bytes).prefix(16).hexadecimal
    }

    /// The permissions of a client.
    package func permission(for peer: PeerAddress) -> Permission {
        switch peer {
        case .localUser: localPermission ?? defaultPermission
        case .unknown: defaultPermission
        case .network(let address):
            hosts.filter { $0.contains(address) }.max { $0.network.prefixLength < $1.network.prefixLength }?.permission
                ?? defaultPermission
        }
    }
}
