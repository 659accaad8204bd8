import Crypto
import Foundation
package import MPDCommands
package import MPDProtocol
package import NetworkAddresses

/// The permissions of clients before they send a password, by where they come from.
///
/// - Source: MPD v0.24.13 src/Permission.cxx, src/client/New.cxx; networks with a prefix as MPD 0.25 has them.
package struct AccessRules: Hashable, Sendable {
    /// The permissions of the clients of a network.
    package struct Host: Hashable, Sendable {
        /// Where the clients are.
        package var network: AddressRange
        /// Without a password they have these.
        package var permission: Permission

        /// Describes a network.
        package init(_ network: AddressRange, _ permission: Permission) {
            (self.network, self.permission) = (network, permission)
        }

        func contains(_ other: [UInt8]) -> Bool {
            let address = network.address
            guard other.count == address.count else { return false }
            let (whole, rest) = network.prefixLength.quotientAndRemainder(dividingBy: 8)
            guard other[..<whole].elementsEqual(address[..<whole]) else { return false }
            return rest == 0 || (other[whole] ^ address[whole]) >> UInt8(8 - rest) == 0
        }
    }

    /// The permissions of a client where nothing else is said.
    package var defaultPermission: Permission
    /// The permissions of a client of a Unix socket; nil is the default.
    package var localPermission: Permission?
    /// The permissions of clients in certain networks; the narrowest network that has the client counts.
    package var hosts: [Host]

    /// Collects rules.
    package init(
        defaultPermission: Permission = .everything, localPermission: Permission? = nil, hosts: [Host] = []
    ) {
        (self.defaultPermission, self.localPermission) = (defaultPermission, localPermission)
        self.hosts = hosts
    }

    /// A digest of all rules, which changes with each of them.
    package var fingerprint: String {
        var bytes: [UInt8] = [defaultPermission.rawValue, localPermission?.rawValue ?? .max]
        for host in hosts {
            bytes += [UInt8(clamping: host.network.address.count), UInt8(clamping: host.network.prefixLength)]
            bytes += host.network.address
            bytes.append(host.permission.rawValue)
        }
        return SHA256.hash(data: bytes).prefix(16).map { String(format: "%02x", $0) }.joined()
    }

    /// The permissions of a client.
    package func permission(for peer: PeerAddress) -> Permission {
        switch peer {
        case .localUser: localPermission ?? defaultPermission
        case .unknown: defaultPermission
        case .network(let bytes):
            hosts.filter { $0.contains(bytes) }.max { $0.network.prefixLength < $1.network.prefixLength }?.permission
                ?? defaultPermission
        }
    }
}
