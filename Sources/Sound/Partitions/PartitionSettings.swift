package import MusicModel
package import Playback

/// The configuration of players, in values of the levels below.
package struct PartitionSettings: Sendable {
    /// How many entries a queue may have.
    package var queueLimit = Player.standardQueueLimit
    /// The memory that URLs and tags in all queues may take.
    package var queueRoom = QueueRoom()
    /// How many songs after the current one are fetched ahead.
    package var prefetchCount = 3
    /// The treatment at the start of the song that was playing when the server ended.
    package var resume = ResumePolicy.pause
    /// Seconds of crossfade of a fresh installation.
    package var crossfade = 0
    /// The ReplayGain mode of a fresh installation.
    package var replayGainMode = ReplayGainMode.off
    /// Tells what was measured of a song's loudness; nil where that doesn't count.
    package var measuredGain: (@Sendable (SongID) -> ReplayGain?)?
    /// Tells how songs go over into each other.
    package var transitions = SongTransitions()

    /// The partitions that are there from the start on.
    package var plans: [PartitionPlan] = []

    /// Whether music pauses while its streams have no listener.
    package var pausesWithoutListeners = false

    /// The settings of a server without a configuration.
    package init() {}
}

/// The specification of a partition's engine.
package struct EngineRequest: Sendable {
    /// Whether it is the first partition's, which begins with all configured outputs; others begin with none.
    package let isFirst: Bool
    /// Which outputs were enabled when the server ended, by name; others are as the configuration has them.
    package let wasEnabled: [String: Bool]
    /// Opens songs for it.
    package let tracks: any TrackProvider
}
