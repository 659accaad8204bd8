package import MusicModel

/// A playlist that discovery makes.
package struct Mix: Hashable, Sendable {
    /// The name that clients see.
    package let name: String
    /// Its songs in their order.
    package let songs: [SongID]
}

/// Playlists that are switched on together.
package enum MixGroup: String, CaseIterable, Hashable, Sendable {
    case similar
    /// Three mixes around what the listener hears most, and one of unheard songs for the week.
    case daily
    case memories
    /// The newest songs, and those that were never played.
    case new
    /// The eight largest genres.
    case genre
    case decade
    /// The eight most frequent moods of the tags.
    case mood
    /// Songs near those that are heard at this time of day.
    case now
    /// The auto-DJ's next picks; loading them switches it on.
    case dj
}
