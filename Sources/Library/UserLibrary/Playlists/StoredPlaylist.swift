/// A stored playlist in a list of them.
package struct StoredPlaylist: Hashable, Sendable {
    /// The name that clients use.
    package var name: String
    /// Unix seconds.
    package var lastModified: Int64
    /// Whether it belongs to the server and can't be edited here.
    package var isReadOnly: Bool

    /// Describes a playlist.
    package init(name: String, lastModified: Int64, isReadOnly: Bool) {
        self.name = name
        self.lastModified = lastModified
        self.isReadOnly = isReadOnly
    }
}
