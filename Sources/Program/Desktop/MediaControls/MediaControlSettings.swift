/// The `[desktop]` section: how Segue takes part in a desktop session.
package struct MediaControlSettings: Hashable, Sendable {
    /// Whether it appears there at all; only processes of a session can.
    package var isEnabled = true
    /// Whether each partition is a player of its own, or only the first one.
    package var showsPartitions = false
    /// Whether the music pauses before the machine sleeps.
    package var pausesOnSleep = false
    /// Whether the music pauses when headphones are pulled out of a sound card.
    package var pausesOnUnplug = false
    /// Whether the machine stays awake while music plays.
    package var inhibitsSleep = false

    /// The defaults.
    package init() {}
}
