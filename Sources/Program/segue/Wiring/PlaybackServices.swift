import Players
import Discovery
import Extensions
import Sync
import LibraryIndex
import Logging
import MPDSessions
import MusicModel
import Playback
import PlaybackEngine
import MediaLookup
import SegueConfiguration
import ServerLoop
import Supervision
import SongAnalysis

/// The players, and what follows them.
@ServerActor
struct PlaybackServices {
    let players: PartitionPlayers
    /// Keeps the positions in long songs; nil where none are kept.
    let bookmarks: SongBookmarks?
    /// Adds songs to queues where it is switched on.
    let dj: DiscJockey
    /// The channel by which clients talk with it.
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
    /// Fills queues up where the configuration wants that.
    let filler: QueueFiller
    private let queueReporter: QueueReporter?

    /// Brings the players back as they were saved; one that played may play again.
    init(
        _ configuration: Configuration, _ sources: Sources, _ upstream: UpstreamServices,
        _ additions: ServerAdditions, media: SongMedia, hub: IdleHub, managerReport: ManagerReport, log: Logger
    ) async throws {
        let plays = PlayBroadcast()
        (scrobbledPlays, heardPlays) = (plays.subscribe(), plays.subscribe())
        bookmarks = try configuration.playback.resumeLongSongs.map {
            try SongBookmarks(library: sources.library, minDuration: $0, log: log)
        }
        queueReporter = upstream.queueKeeper.map { keeper in
            QueueReporter { await keeper.save(QueueSnapshot(items: $0, current: $1, elapsed: $2)) }
        }
        let settings = DJSettings(configuration)
        let likeness = ServerLikeness(configuration, sources)
        mixes = MixService(configuration, sources.library, settings, likeness) {
            await hub.notify(.storedPlaylist, partition: nil)
        }
        gains = configuration.discovery.gains
        analysis = try AnalysisService(configuration, sources, gains) { await hub.notify(.sticker, partition: nil) }
        dj = DiscJockey(
            settings, library: sources.library, likeness: likeness, wishes: additions.wishes,
            presence: SongPresence(sources), log: Logger(label: "segue.dj"),
            stickersChanged: { hub.notify(.sticker, partition: nil) })
        channel = DJChannel(dj)
        filler = QueueFiller(configuration, sources.library)
        // The observers of players, in this order; those of extensions come between.
        let before: [(any PlayerObserver)?] = [
            ChangeNotices { hub.notify($0, partition: $1) }, UpcomingSongs(.init(media, sources)), bookmarks,
            queueReporter,
        ]
        let after: [(any PlayerObserver)?] = [
            dj, filler,
            mixes.flatMap { mixes in
                mixes.followsCurrentSong ? CurrentSong(1) { $0.first.map { mixes.follow($0) } } : nil
            },
            analysis.map { analysis in CurrentSong(2) { analysis.want($0) } },
            ChangeNotices { _, _ in managerReport.changed() },
        ]
        let resolver = StreamResolver(
            playlists: sources.remotePlaylists,
            program: configuration.resolver.map {
                StreamProgram(
                    command: $0.command, hosts: $0.hosts, timeout: $0.timeout, log: Logger(label: "segue.resolver"))
            })
        players = try await PartitionPlayers(
            PartitionSettings(configuration, gains, sources.library), library: sources.library,
            tracks: sources.tracks, plays: plays,
            observers: before.compactMap { $0 } + additions.observers + after.compactMap { $0 }, log: log
        ) { GStreamerEngine(configuration, $0, resolver: resolver, sources.library.memoryBudget) }
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

    /// Writes everything that has changed.
    func save() async {
        await players.save()
        await bookmarks?.finish()
        await dj.finish()
    }
}

extension UpcomingSongs.Fetching {
    /// Fills the caches ahead, and reads positions in songs from the server.
    fileprivate init(_ media: SongMedia, _ sources: Sources) {
        self.init(
            pictures: { await media.pictures.prefetch($0) }, lyrics: { await media.lyrics.prefetch($0) },
            songsChanged: { sources.bookmarks?.checkSoon() })
    }
}

/// The pictures and lyrics of songs.
struct SongMedia: Sendable {
    let pictures: LibraryPictures
    let lyrics: LibraryLyrics

    /// Searches for it in the caches, and in the folders of local songs.
    init(_ sources: Sources) {
        pictures = LibraryPictures(
            library: sources.library, covers: sources.covers, coverNames: sources.coverNames,
            scaled: sources.scaledPictures)
        lyrics = LibraryLyrics(
            library: sources.library, cache: sources.lyrics)
    }
}
