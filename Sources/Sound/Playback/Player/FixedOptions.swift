package import MusicModel

/// Options that the configuration fixes for a partition; nil leaves one to clients.
package struct FixedOptions: Hashable, Sendable {
    /// Whether songs come in random order.
    package var isRandom: Bool?
    /// Whether the queue begins again after its last song.
    package var isRepeating: Bool?
    /// Whether playback pauses after each song.
    package var single: OneshotOption?
    /// Whether what was played is removed.
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
