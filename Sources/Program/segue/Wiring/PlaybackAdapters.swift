import Coordination
import GStreamerAudio
import IndexSync
import Logging
import MPDCommands
import MusicModel
import Outputs
import Partitions
import PlaylistFetching
import SegueConfiguration
import SongAnalysis
import UserSync

// The players' settings from the configuration.

extension PartitionSettings {
    /// The settings of all players as the configuration has them.
    ///
    /// - Parameter gains: what was measured of songs; nil where that doesn't count.
    init(_ configuration: Configuration, _ gains: MeasuredGains? = nil) {
        self.init()
        if let gains { measuredGain = { gains.gain(of: $0) } }
        queueLimit = configuration.server.maxPlaylistLength
        prefetchCount = configuration.cache.prefetch
        resume = configuration.playback.resume
        crossfade = configuration.playback.crossfade
        replayGainMode = configuration.playback.replayGain
        pausesWithoutListeners = configuration.playback.pausesWithoutListeners
    }
}

extension GStreamerEngine {
    /// A partition's engine as the configuration has it.
    convenience init(
        _ configuration: Configuration, _ request: EngineRequest, resolver: any StreamResolving,
        _ memoryBudget: MemoryBudget
    ) {
        let playback = configuration.playback
        var outputs = request.isFirst ? configuration.outputs : []
        for place in outputs.indices {
            outputs[place].isEnabled = request.wasEnabled[outputs[place].name] ?? outputs[place].isEnabled
        }
        self.init(
            outputs: outputs, provider: request.tracks,
            replayGain: ReplayGainSettings(
                preamp: playback.replayGainPreamp, missingPreamp: playback.replayGainMissingPreamp,
                limitsPeaks: playback.replayGainLimit),
            outputFormat: playback.audioOutputFormat,
            radio: RadioSettings(
                crossfade: playback.radioCrossfade, timeout: playback.radioTimeout, resolver: resolver,
                proxy: configuration.http.proxyInUse, lineInputs: playback.lineInputs),
            memoryBudget: memoryBudget, log: Logger(label: "segue.audio"))
    }
}

extension StreamProgram {
    /// The program of `[resolver]`.
    init(_ resolver: Configuration.Resolver, log: Logger) {
        self.init(command: resolver.command, hosts: resolver.hosts, timeout: resolver.timeout, log: log)
    }
}

/// Asks the keeper for another client's queue when a client of ours loads it.
struct OtherQueueLook: OtherQueueProviding {
    let keeper: QueueKeeper

    /// How long a client waits for the server at most; what is known is loaded then.
    private static let longestWait = Duration.seconds(3)

    var playlistName: String { QueueKeeper.playlistName }

    func look() async -> OtherQueuePlace? {
        _ = await withTimeLimit(Self.longestWait) { [keeper] in _ = await keeper.refresh() }
        guard let shown = keeper.shown, let index = shown.current else { return nil }
        return OtherQueuePlace(index: index, elapsed: shown.elapsed)
    }
}
