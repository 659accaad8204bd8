import Coordination
import Discovery
import Extensions
import LibraryIndex
import Logging
import MediaCache
import MediaLookup
import MPDCommands
import MPDSessions
import MusicModel
import Outputs
import Playback
import PlaybackEngine
import Players
import SegueConfiguration
import ServerLoop
import SongAnalysis
import Subsonic
import Supervision
import Sync
import UserLibrary
import WebServer

/// The players, and what follows them.
@ServerActor
struct PlaybackServices {
    let players: PartitionPlayers
    /// Keeps the positions in long songs; nil where none are kept.
    let bookmarks: SongBookmarks?
    let dj: DiscJockey
    let channel: DJChannel
    /// Keeps playlists that are made for the listener; nil where none are wanted.
    let mixes: MixService?
    /// Measures songs; nil where none are to be measured.
    let analysis: AnalysisService?
    /// The measured loudness, for players; nil where that doesn't count.
    let gains: MeasuredGains?
    /// The plays for the scrobbler.
    let scrobbledPlays: AsyncStream<PlaybackEvent>
    /// The same for the history.
    let heardPlays: AsyncStream<PlaybackEvent>
    let filler: QueueFiller
    private let queueReporter: QueueReporter?

    /// Brings the players back as they were saved; one that played may play again.
    init(
        _ configuration: Configuration, _ sources: Sources, _ upstream: UpstreamServices,
        _ additions: ServerAdditions, media: SongMedia, hub: IdleHub, managerReport: ManagerReport, log: Logger
    ) async throws {
        let plays = PlayBroadcast()
        (scrobbledPlays, heardPlays) = (plays.subscribe(), plays.subscribe())
        let longSong = configuration.playback.resumeLongSongs
        bookmarks = try longSong.map { try SongBookmarks(library: sources.library, minDuration: $0, log: log) }
        queueReporter = upstream.queueKeeper.map { keeper in
            QueueReporter { await keeper.save(QueueSnapshot(items: $0, current: $1, elapsed: $2)) }
        }
        var settings = configuration.dj
        settings.rules.maxSong = longSong
        let likeness = ServerLikeness(configuration, sources)
        let discovery = configuration.discovery
        mixes =
            discovery.playlists.isEmpty
            ? nil
            : MixService(
                sources.library, groups: discovery.playlists, rules: settings.rules, except: settings.except,
                likeness: likeness, log: Logger(label: "segue.discovery")
            ) { await hub.notify(.storedPlaylist, partition: nil) }
        gains = discovery.analysis == .off || !discovery.usesMeasuredGain ? nil : MeasuredGains()
        analysis = try AnalysisService(configuration, sources, gains) { await hub.notify(.sticker, partition: nil) }
        dj = DiscJockey(
            settings, library: sources.library, likeness: likeness, wishes: additions.wishes,
            presence: SongPresence(sources), log: Logger(label: "segue.dj"),
            stickersChanged: { hub.notify(.sticker, partition: nil) })
        channel = DJChannel(dj)
        filler = QueueFiller(configuration.partitions, library: sources.library, log: Logger(label: "segue.queue"))
        // The observers of players, in this order; those of extensions come between.
        let before: [(any PlayerObserver)?] = [
            ChangeNotices { hub.notify($0, partition: $1) },
            UpcomingSongs(
                .init(
                    pictures: { await media.pictures.prefetch($0) }, lyrics: { await media.lyrics.prefetch($0) },
                    songsChanged: { sources.bookmarks?.checkSoon() })), bookmarks, queueReporter,
        ]
        let after: [(any PlayerObserver)?] = [
            dj, filler,
            mixes.flatMap { mixes in mixes.followsCurrentSong ? CurrentSong(1) { $0.first.map(mixes.follow) } : nil },
            analysis.map { analysis in CurrentSong(2) { analysis.want($0) } },
            ChangeNotices { _, _ in managerReport.changed() },
        ]
        players = try await PartitionPlayers(
            PartitionSettings(configuration, gains, sources.library), library: sources.library,
            tracks: sources.tracks, plays: plays,
            observers: before.compactMap { $0 } + additions.observers + after.compactMap { $0 }, log: log
        ) { GStreamerEngine(configuration, $0, sources) }
    }

    /// Writes everything that has changed, and meanwhile tells the server the queue.
    func saveAndReport() async {
        async let reported: Void? = queueReporter?.finish()
        await save()
        await reported
    }

    /// Ends what changes queues automatically, and writes what has changed last.
    func saveLast() async {
        players.stopListening()
        dj.stop()
        await save()
    }

    func save() async {
        await players.save()
        await bookmarks?.finish()
        await dj.finish()
    }
}

struct SongMedia: Sendable {
    let pictures: LibraryPictures
    let lyrics: LibraryLyrics

    init(_ sources: Sources) {
        pictures = LibraryPictures(
            library: sources.library, covers: sources.covers, coverNames: sources.coverNames,
            scaled: sources.scaledPictures)
        lyrics = LibraryLyrics(library: sources.library, cache: sources.lyrics)
    }
}

extension PartitionSettings {
    init(_ configuration: Configuration, _ gains: MeasuredGains? = nil, _ library: Library? = nil) {
        self.init()
        if let gains { player.measuredGain = { gains.gain(of: $0) } }
        if let library {
            player.transitions = SongTransitions(configuration, library)
            // An eighth of the budget.
            player.queueRoom = QueueRoom(limit: max(library.memoryBudget.share(oneIn: 8, atMost: .max), 4 << 20))
        }
        plans = configuration.partitions
        player.queueLimit = configuration.server.maxPlaylistLength
        player.prefetchCount = configuration.cache.prefetch
        beginning = configuration.playback.beginning
        player.pausesWithoutListeners = configuration.playback.pausesWithoutListeners
    }
}

extension SongTransitions {
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
    convenience init(_ configuration: Configuration, _ request: EngineRequest, _ sources: Sources) {
        let playback = configuration.playback
        var outputs = request.isFirst ? configuration.outputs : []
        for index in outputs.indices {
            outputs[index].httpd.hosts = configuration.web.settings.hosts
            outputs[index].isEnabled = request.wasEnabled[outputs[index].name] ?? outputs[index].isEnabled
        }
        self.init(
            outputs: outputs, provider: request.tracks, log: Logger(label: "segue.audio"), replayGain: playback.gains,
            outputFormat: playback.audioOutputFormat, fades: playback.fades,
            radio: RadioSettings(
                playback.stations, resolver: sources.streamResolver, proxy: configuration.http.proxyInUse),
            memoryBudget: sources.library.memoryBudget)
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

extension SongPresence {
    init?(_ sources: Sources) {
        guard let server = sources.client?.reachability else { return nil }
        self.init(isServerAway: { server.isAway }) { [tracks = sources.tracks, index = sources.library.index] in
            try await index.songs(whoseSource: { tracks.isHere($0, suffix: $1, size: $2) })
        }
    }
}

extension MeasuredGains {
    /// Reads what was measured of a song, or of all; the log says where that fails.
    func reload(_ library: Library, _ song: SongID? = nil) async {
        do { try await load(library, song) } catch {
            Logger(label: "segue.analysis").error("what was measured can't be read: \(chain: error)")
        }
    }
}

extension AnalysisService {
    /// The service that the configuration wants; nil where it wants none. `changed` is called when songs got stickers.
    init?(
        _ configuration: Configuration, _ sources: Sources, _ gains: MeasuredGains?,
        changed: @escaping @Sendable () async -> Void
    ) throws {
        let analysis = configuration.discovery.analysis
        if analysis == .off { return nil }
        let library = sources.library
        let opening = try analysis == .library ? sources.passingTracks(configuration).opening : nil
        self.init(
            library, tracks: sources.tracks, opening: opening, needsBeats: configuration.playback.fades.matchesBeats,
            log: Logger(label: "segue.analysis"),
            done: { song in
                await gains?.reload(library, song)
                await changed()
            }, renewed: { await gains?.reload(library) })
    }
}

extension Sources {
    /// Songs for a check of them, past the cache.
    func passingTracks(_ configuration: Configuration) throws -> PassingTracks {
        try PassingTracks(
            directory: configuration.server.cacheDirectory + "/passing", keepFree: configuration.cache.keepFree,
            cache: tracks, client: client, bytesPerSecond: configuration.discovery.analysisBandwidth,
            log: Logger(label: "segue.analysis"))
    }
}

extension PassingTracks {
    var opening: AnalysisService.Opening { { try await open($0, $1) } }
}

extension ServerLikeness {
    init?(_ configuration: Configuration, _ sources: Sources) {
        guard configuration.discovery.usesServerSimilarity, let client = sources.client else { return nil }
        let server = SimilarityQuestions(client, sources.library, mount: configuration.navidrome?.mount ?? "")
        self.init({ try await server.related(to: $0) }, library: sources.library, log: Logger(label: "segue.discovery"))
    }
}
