package import MusicModel

/// The part of a player that comes from the configuration and the library, and stays the same.
package struct PlayerSettings: Sendable {
    /// How many entries the queue may have.
    package var queueLimit = Queue.standardLimit
    /// The memory for URLs and tags in this queue and others.
    package var queueRoom = QueueRoom()
    /// How many songs after the current one are named, so that they can be fetched ahead.
    package var prefetchCount = 3
    /// The options that clients can't change; they take effect with what is restored.
    package var fixedOptions = FixedOptions()
    /// Pauses without listeners where all outputs that play can count them, and continues with the first.
    package var pausesWithoutListeners = false
    /// Tells what was measured of a song's loudness; nil where nothing is.
    package var measuredGain: (@Sendable (SongID) -> ReplayGain?)?
    /// Tells how songs go over into each other.
    package var transitions = SongTransitions()

    /// The settings of a player without a configuration.
    package init() {}
}
