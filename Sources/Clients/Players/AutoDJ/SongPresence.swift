package import MusicModel

/// Tells which songs can be heard while the library's server is away.
package struct SongPresence: Sendable {
    /// True if the server is away now.
    let isServerAway: @Sendable () -> Bool
    /// The songs that need no server: local files, and those that the cache has whole.
    let songs: @Sendable () async throws -> Set<SongID>

    /// Asks by these functions, which are called off the event loop.
    package init(
        isServerAway: @escaping @Sendable () -> Bool, songs: @escaping @Sendable () async throws -> Set<SongID>
    ) {
        (self.isServerAway, self.songs) = (isServerAway, songs)
    }
}
