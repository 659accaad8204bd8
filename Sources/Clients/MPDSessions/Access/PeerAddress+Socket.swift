import Glibc
package import MPDCommands
package import NIOCore

extension PeerAddress {
    /// The address that a channel is connected from.
    ///
    /// - Isolation: the channel's loop.
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
        case .v4(let address):
            self = .network(withUnsafeBytes(of: address.address.sin_addr) { Array($0) })
        case .v6(let address):
            self.init(ofIPv6: withUnsafeBytes(of: address.address.sin6_addr) { Array($0) })
        case .unixDomainSocket:
            self = .localUser(nil)
        }
    }

    /// IPv4 clients of a socket that takes both have `::ffff:` before their own address.
    private init(ofIPv6 bytes: [UInt8]) {
        let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        self = .network(bytes.starts(with: mapped) ? Array(bytes.dropFirst(12)) : bytes)
    }

    /// Whether the client is on this machine.
    var isOnThisMachine: Bool {
        switch self {
        case .localUser, .unknown: true
        case .network(let bytes):
            bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        }
    }

    /// The address as it stands in the log.
    var shown: String {
        switch self {
        case .localUser(let user): user.map { "user:\($0)" } ?? "local"
        case .unknown: "unknown"
        case .network(let bytes): Self.numeric(bytes)
        }
    }

    private static func numeric(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
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
