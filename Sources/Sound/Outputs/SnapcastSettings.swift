/// The settings that a `snapcast` output has beside what all outputs have; with a `path` it writes into that named pipe
/// instead.
package struct SnapcastSettings: Hashable, Sendable {
    /// The parts of a Snapcast server that become outputs; the raw value is the configuration's `rooms`.
    package enum Rooms: String, CaseIterable, Hashable, Sendable {
        /// Every client, and every group of two or more.
        case all
        /// Every client.
        case clients
        /// Every group, also those of one client.
        case groups
    }

    /// The name or address of the machine that runs snapserver.
    package var host = "127.0.0.1"
    /// The port of the server's TCP source.
    package var port = 4953
    /// Whether the server's clients and groups become outputs.
    package var isControlled = true
    /// Whether clients, groups or both become outputs.
    package var rooms = Rooms.all
    /// The port of the server's JSON-RPC over TCP.
    package var controlPort = 1705
    /// The server's name of this stream: a client that is enabled is put to it; nil leaves that to others.
    package var stream: String?

    /// The settings when nothing is configured.
    package init() {}
}
