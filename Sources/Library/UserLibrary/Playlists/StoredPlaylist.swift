/// A stored playlist in a list of them.
public struct StoredPlaylist: Hashable, Sendable {
    /// The name that clients use.
    public var name: String
    /// Unix seconds.
    public var lastModified: Int64
    /// Whether it belongs to the server and can't be edited here.
    public var isReadOnly: Bool

    /// Describes a playlist.
    public init(name: String, lastModified: Int64, isReadOnly: Bool) {
        self.name = name
        self.lastModified = lastModified
        self.isReadOnly = isReadOnly
    }
}
