import Coordination
import Sync
import LibraryIndex
import Logging
import MPDCommands
import MusicModel
import Outputs
import Players
import Playback
import PlaybackEngine
import SegueConfiguration
import SongAnalysis
import Subsonic
import UserLibrary
import WebServer

// The players' settings from the configuration.

extension PartitionSettings {
    /// The settings of all players as the configuration has them.
    ///
    /// - Parameters:
    ///   - gains: the measured loudness of songs; nil where that doesn't count.
    ///   - library: tells how songs go over into each other, and how much memory queues may take.
    init(_ configuration: Configuration, _ gains: MeasuredGains? = nil, _ library: Library? = nil) {
        self.init()
        if let gains { player.measuredGain = { gains.gain(of: $0) } }
        if let library {
            player.transitions = SongTransitions(configuration, library)
            player.queueRoom = QueueRoom(library.memoryBudget)
        }
        plans = configuration.partitions
        player.queueLimit = configuration.server.maxPlaylistLength
        player.prefetchCount = configuration.cache.prefetch
        resume = configuration.playback.resume
        crossfade = configuration.playback.crossfade
        replayGainMode = configuration.playback.replayGain
        player.pausesWithoutListeners = configuration.playback.pausesWithoutListeners
    }
}

extension QueueRoom {
    /// Room for what an eighth of the budget holds, at least 4 MiB.
    convenience init(_ memoryBudget: MemoryBudget) {
        self.init(limit: max(memoryBudget.share(oneIn: 8, atMost: .max), 4 << 20))
    }
}

extension QueueFiller {
    /// Fills the queues of the configuration's partitions.
    convenience init(_ configuration: Configuration, _ library: Library) {
        self.init(
            configuration.partitions, library: library, log: Logger(label: "segue.queue"))
    }
}

extension SongTransitions {
    /// The transitions that the configuration wants, by what the library knows of songs.
    init(_ configuration: Configuration, _ library: Library) {
        self.init()
        let discovery = configuration.discovery
        if discovery.analysis != .off, discovery.usesMeasuredRamps { ramps = { library.measuredRamps(of: $0) } }
        if discovery.analysis != .off, configuration.playback.fades.matchesBeats {
            beats = { library.measuredBeats(of: $0) }
        }
        joins = { library.follows($1, on: $0) }
        crossfadesAlbums = configuration.playback.crossfadesAlbums
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
        for index in outputs.indices {
            outputs[index].httpd.hosts = configuration.web.settings.hosts
            outputs[index].isEnabled = request.wasEnabled[outputs[index].name] ?? outputs[index].isEnabled
        }
        self.init(
            outputs: outputs, provider: request.tracks,
            replayGain: playback.gains, outputFormat: playback.audioOutputFormat, fades: playback.fades,
            radio: RadioSettings(
                crossfade: playback.radioCrossfade, timeout: playback.radioTimeout, resolver: resolver,
                proxy: configuration.http.proxyInUse, lineInputs: playback.lineInputs,
                discDevices: playback.discDevices),
            memoryBudget: memoryBudget, clock: .monotonic, log: Logger(label: "segue.audio"))
    }
}

/// Asks the keeper for another client's queue when a client of ours loads it.
struct OtherQueueProvider: OtherQueueProviding {
    let keeper: QueueKeeper

    /// How long a client waits for the server at most; what is known is loaded then.
    private static let maxWait = Duration.seconds(3)

    var playlistName: String { QueueKeeper.playlistName }

    func place() async -> (index: Int, elapsed: Duration)? {
        await keeper.freshPlace(within: Self.maxWait).map { ($0.index, $0.elapsed) }
    }
}
