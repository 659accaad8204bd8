package import MusicModel

/// Tells a player how songs go over into each other; what is nil has no part in it.
/// - Isolation: the closures are called on the event loop and answer at once.
package struct SongTransitions: Sendable {
    /// The measured loudness of a song's beginning and end; nil where it was not measured.
    package var ramps: (@Sendable (SongID) -> MixRampTags?)?
    /// The measured beats at a song's beginning and end; nil where they were not measured.
    package var beats: (@Sendable (SongID) -> SongBeats?)?
    /// True if the second song is next on the first's album: beats are not matched, and `crossfadesAlbums` counts.
    package var joins: (@Sendable (SongID, SongID) -> Bool)?
    /// True if songs of an album overlap as others do. MPD overlaps them, which cuts into live albums and classical
    /// music. Listeners set a crossfade for songs that were not made for each other.
    package var crossfadesAlbums = false

    /// Songs go over as clients and tags say.
    package init() {}
}
