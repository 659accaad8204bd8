/// The permissions of a client, as MPD's manual has them under "Permissions and Passwords".
package struct Permission: OptionSet, Hashable, Sendable {
    /// One bit per permission.
    package let rawValue: UInt8

    /// Makes a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Asking and looking.
    package static let read = Permission(rawValue: 1)
    /// Adding to the queue and loading playlists into it.
    package static let add = Permission(rawValue: 2)
    /// Changing stored playlists and updating the library.
    package static let control = Permission(rawValue: 4)
    /// Outputs, stickers, partitions, mounts and ending the server.
    package static let admin = Permission(rawValue: 8)
    /// Controlling playback and editing the queue.
    package static let player = Permission(rawValue: 16)

    /// Needed for commands that anyone may send.
    package static let none: Permission = []
    /// Every permission, `admin` included.
    package static let everything: Permission = [.read, .add, .control, .admin, .player]
}
