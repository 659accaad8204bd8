/// What a client may do.
///
/// - Source: MPD v0.24.13 doc/user.rst "Permissions and Passwords"; src/Permission.hxx.
public struct Permission: OptionSet, Hashable, Sendable {
    /// One bit per permission.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Asking and looking.
    public static let read = Permission(rawValue: 1)
    /// Adding to the queue and loading playlists into it.
    public static let add = Permission(rawValue: 2)
    /// Changing stored playlists and updating the library.
    public static let control = Permission(rawValue: 4)
    /// Outputs, stickers, partitions, mounts and ending the server.
    public static let admin = Permission(rawValue: 8)
    /// Controlling playback and editing the queue.
    public static let player = Permission(rawValue: 16)

    /// Needed for commands that anyone may send.
    public static let none: Permission = []
    /// Everything.
    public static let everything: Permission = [.read, .add, .control, .admin, .player]
}
