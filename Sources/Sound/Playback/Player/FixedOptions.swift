package import MusicModel

/// Options that the configuration fixes for a partition; nil leaves one to clients.
package struct FixedOptions: Hashable, Sendable {
    /// True if songs come in random order.
    package var isRandom: Bool?
    /// True if the queue begins again after its last song.
    package var isRepeating: Bool?
    /// True if playback pauses after each song.
    package var single: OneshotOption?
    /// True if what was played is removed.
    package var consume: OneshotOption?

    /// Fixes nothing.
    package init() {}

    /// Puts the fixed values into what is restored.
    package func apply(to saved: inout SavedPlayer) {
        saved.isRandom = isRandom ?? saved.isRandom
        saved.isRepeating = isRepeating ?? saved.isRepeating
        saved.single = single ?? saved.single
        saved.consume = consume ?? saved.consume
    }
}
