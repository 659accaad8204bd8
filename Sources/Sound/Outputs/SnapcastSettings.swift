/// The settings that only a `snapcast` output has; with a `path` it writes into that named pipe instead.
package struct SnapcastSettings: OutputSettings {
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
    /// Makes outputs of the server's clients and groups.
    package var isControlled = true
    /// Clients, groups or both.
    package var rooms = Rooms.all
    /// The port of the server's JSON-RPC over TCP.
    package var controlPort = 1705
    /// The server's name of this stream: a client that is enabled is put to it; nil leaves that to others.
    package var stream: String?

    /// The settings when nothing is configured.
    package init() {}

    package mutating func read(from section: inout some OutputKeyReader) {
        section.text("host", "a machine's name or address", into: &host)
        section.integer("port", 1...65535, into: &port)
        section.flag("control", into: &isControlled)
        section.choice("rooms", into: &rooms)
        section.integer("control_port", 1...65535, into: &controlPort)
        section.text("stream", "a stream's name", into: &stream)
    }
}

extension OutputSpecification.Kind {
    /// A Snapcast server, whose clients become outputs of their own.
    package static let snapcast = Self(
        "snapcast", ["path", "format", "realtime"], serverRate: 48_000, settings: SnapcastSettings.self)
}

extension OutputSpecification {
    /// The settings of a `snapcast` output.
    package var snapcast: SnapcastSettings {
        get { own.of() }
        set { own.replace(with: newValue) }
    }
}
