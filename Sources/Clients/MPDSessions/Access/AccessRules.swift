import Crypto
import Glibc
package import MPDCommands
package import MPDProtocol
import MusicModel
package import NetworkAddresses
package import NIOCore

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

extension PeerAddress {
    /// The address that a channel, on whose loop this is called, is connected from.
    init(of channel: any Channel, isLocal: Bool) {
        guard isLocal else {
            self = channel.remoteAddress.map(Self.init) ?? .unknown
            return
        }
        var user: UInt32?
        if let socket = channel as? any SocketOptionProvider {
            // On the channel's own loop the future is there at once.
            let credentials: EventLoopFuture<PeerCredentials> = socket.unsafeGetSocketOption(
                level: .socket, name: .peerCredentials)
            credentials.assumeIsolated().whenSuccess { user = $0.uid }
        }
        self = .localUser(user)
    }

    /// The address of a socket; its port is left out.
    package init(_ address: SocketAddress) {
        switch address {
        case .v4, .v6: self = address.withSockAddr { pointer, _ in IPAddress(pointer) }.map(Self.network) ?? .unknown
        case .unixDomainSocket: self = .localUser(nil)
        }
    }

    var isOnThisMachine: Bool {
        switch self {
        case .localUser, .unknown: true
        case .network(let address): address.isLoopback
        }
    }

    /// The address as it stands in the log.
    var shown: String {
        switch self {
        case .localUser(let user): user.map { "user:\($0)" } ?? "local"
        case .unknown: "unknown"
        case .network(let address): AddressRange(address, bits: 128).description
        }
    }

    /// The bytes by which clients are counted; none for those of Unix sockets.
    var household: [UInt8] { if case .network(let address) = self { address.household } else { [] } }
}

/// The answer to SO_PEERCRED, `struct ucred`, which Glibc shows to C alone.
private struct PeerCredentials: Sendable {
    var process: Int32 = 0
    var uid: UInt32 = 0
    var group: UInt32 = 0
}

extension NIOBSDSocket.Option {
    /// Who is at the other end of a Unix socket.
    fileprivate static let peerCredentials = NIOBSDSocket.Option(rawValue: SO_PEERCRED)
}
