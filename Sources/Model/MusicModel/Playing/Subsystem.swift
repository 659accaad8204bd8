/// The parts of the server whose changes `idle` reports.
/// - Source: MPD v0.24.13 src/protocol/IdleFlags.cxx; the order of the bits is the order in which MPD prints them.
package struct Subsystem: OptionSet, Hashable, Sendable {
    /// One bit per subsystem.
    package let rawValue: UInt16

    /// Makes a set from its bits.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The library changed.
    package static let database = Subsystem(rawValue: 1 << 0)
    /// A stored playlist was changed, renamed, made or deleted.
    package static let storedPlaylist = Subsystem(rawValue: 1 << 1)
    /// The queue changed; `playlist` on the wire.
    package static let queue = Subsystem(rawValue: 1 << 2)
    /// The player was started, stopped, sought, or plays something else.
    package static let player = Subsystem(rawValue: 1 << 3)
    /// The volume changed.
    package static let mixer = Subsystem(rawValue: 1 << 4)
    /// An output was enabled, disabled, renamed or has failed.
    package static let output = Subsystem(rawValue: 1 << 5)
    /// Options such as repeat or crossfade changed.
    package static let options = Subsystem(rawValue: 1 << 6)
    /// A sticker changed.
    package static let sticker = Subsystem(rawValue: 1 << 7)
    /// An update of the library began or ended.
    package static let update = Subsystem(rawValue: 1 << 8)
    /// A client subscribed to a channel or left it.
    package static let subscription = Subsystem(rawValue: 1 << 9)
    /// A message came in on a channel.
    package static let message = Subsystem(rawValue: 1 << 10)
    /// A neighbour appeared or vanished.
    package static let neighbor = Subsystem(rawValue: 1 << 11)
    /// The mounts changed.
    package static let mount = Subsystem(rawValue: 1 << 12)
    /// A partition was made or deleted.
    package static let partition = Subsystem(rawValue: 1 << 13)
    /// The player began or ended to wait for sound. MPD knows no such thing, and `idle` reports nothing of it.
    package static let buffering = Subsystem(rawValue: 1 << 14)

    /// Every subsystem of MPD's, which is what `idle` without arguments waits for.
    package static let everything = Subsystem(rawValue: (1 << 14) - 1)

    /// The subsystems with their names on the wire, in the order in which they are printed.
    package static let named: [(subsystem: Subsystem, name: StaticString)] = [
        (.database, "database"), (.storedPlaylist, "stored_playlist"), (.queue, "playlist"), (.player, "player"),
        (.mixer, "mixer"), (.output, "output"), (.options, "options"), (.sticker, "sticker"), (.update, "update"),
        (.subscription, "subscription"), (.message, "message"), (.neighbor, "neighbor"), (.mount, "mount"),
        (.partition, "partition"),
    ]
}
