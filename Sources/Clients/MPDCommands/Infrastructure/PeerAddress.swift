/// Where a client is connected from.
package enum PeerAddress: Hashable, Sendable {
    /// A process on this machine by a Unix socket, with its user's number where the system tells it.
    case localUser(UInt32?)
    /// An address of 4 bytes (IPv4, also where it came as a part of IPv6) or 16 (IPv6), in the network's order.
    case network([UInt8])
    /// No socket.
    case unknown
}
