import Glibc
package import MPDCommands
package import NIOCore
import NetworkAddresses

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
