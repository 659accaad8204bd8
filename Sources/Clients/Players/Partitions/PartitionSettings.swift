package import MusicModel
package import Playback

/// The state in which players begin.
package struct PlayerBeginning: Hashable, Sendable {
    /// The treatment at the start of the song that was playing when the server ended.
    package var resume = ResumePolicy.pause
    /// Seconds of crossfade of a fresh installation; clients can change it.
    package var crossfade = 0
    /// The ReplayGain mode of a fresh installation; clients can change it.
    package var replayGain = ReplayGainMode.off

    /// Begins as without a configuration.
    package init() {}
}

/// The configuration of players, in values of the levels below.
package struct PartitionSettings: Sendable {
    /// The settings of a player for which no plan says otherwise.
    package var player = PlayerSettings()
    /// The state in which players begin.
    package var beginning = PlayerBeginning()
    /// The partitions that are there from the start on.
    package var plans: [PartitionPlan] = []

    /// The settings of a server without a configuration.
    package init() {}

    func player(of partition: String) -> PlayerSettings {
        guard let plan = plans.first(where: { $0.name == partition }) else { return player }
        var player = player
        player.queueLimit = min(plan.capacity ?? player.queueLimit, player.queueLimit)
        player.fixedOptions = plan.fixed
        player.pausesWithoutListeners = plan.pausesWithoutListeners ?? player.pausesWithoutListeners
        return player
    }
}

/// The specification of a partition's engine.
package struct EngineRequest: Sendable {
    /// True if it is the first partition's, which begins with all configured outputs; others begin with none.
    package let isFirst: Bool
    /// Which outputs were enabled when the server ended, by name; others are as the configuration has them.
    package let wasEnabled: [String: Bool]
    /// Opens songs for it.
    package let tracks: any TrackProvider
}

/// A partition of the configuration: it is there from the start on.
package struct PartitionPlan: Hashable, Sendable {
    /// The songs that a queue is filled up with.
    package enum Filling: Hashable, Sendable {
        case library
        /// Songs of an artist, or else of the artists whose songs are in the queue.
        case artist(String?)
        case playlist(String)
    }

    /// Its name; `default` describes the partition that is always there.
    package let name: String
    /// The outputs that play for it from the start on.
    package var outputs: [String] = []
    /// How many songs its queue may have; nil leaves that to the server's limit.
    package var capacity: Int?
    /// The songs that fill its queue up; nil leaves that to clients.
    package var filling: Filling?
    /// The options that clients can't change.
    package var fixed = FixedOptions()

    /// True if music pauses while its streams have no listener; nil leaves that to the server's settings.
    package var pausesWithoutListeners: Bool?

    /// Describes a partition.
    package init(name: String) { self.name = name }
}
