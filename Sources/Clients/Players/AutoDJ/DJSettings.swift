package import Discovery
package import MusicModel

/// The configuration of the auto-DJ, in values of the levels below.
package struct DJSettings: Hashable, Sendable {
    /// True if clients see it as an output.
    package var showsSwitch = false
    /// The mode where a partition has not been told otherwise.
    package var mode = PickMode.similar
    /// How many songs wait in the queue before it rests.
    package var ahead = 3
    /// The songs that it never picks.
    package var rules = PickRules()
    /// Songs that it leaves out always; nil leaves out none.
    package var except: SongFilter?
    /// True if the sticker `djWhy` says why a song was picked.
    package var explains = true

    /// The settings of a fresh installation.
    package init() {}
}

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
