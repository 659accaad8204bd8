import Players
import Discovery
import LibraryIndex
import Logging
import MediaCache
import MusicModel
import Playback
import SegueConfiguration
import ServerLoop
import SongAnalysis
import Subsonic
import Sync
import UserLibrary

// The settings of the auto-DJ and of discovery, and their face for commands.

extension DJSettings {
    /// The settings of `[dj]`, with what counts as a long song.
    init(_ configuration: Configuration) {
        self = configuration.dj
        rules.maxSong = configuration.playback.resumeLongSongs
    }
}

extension MixService {
    /// The playlists that the configuration wants; nil where it wants none.
    ///
    /// - Parameter changed: called when clients see other playlists.
    init?(
        _ configuration: Configuration, _ library: Library, _ settings: DJSettings, _ likeness: ServerLikeness?,
        changed: @escaping @Sendable () async -> Void
    ) {
        let groups = configuration.discovery.playlists
        if groups.isEmpty { return nil }
        self.init(
            library, groups: groups, rules: settings.rules, except: settings.except, likeness: likeness,
            log: Logger(label: "segue.discovery"), changed: changed)
    }
}

extension SongPresence {
    /// The songs of folders and of the cache; nil without a server.
    init?(_ sources: Sources) {
        guard let server = sources.client?.reachability else { return nil }
        self.init(isServerAway: { server.isAway }) { [tracks = sources.tracks, index = sources.library.index] in
            try await index.songs(whoseSource: { tracks.isHere($0, suffix: $1, size: $2) })
        }
    }
}

extension Configuration.Discovery {
    /// The measured loudness, for players; nil where nothing is measured or it doesn't count.
    var gains: MeasuredGains? { analysis == .off || !usesMeasuredGain ? nil : MeasuredGains() }
}

extension AnalysisService {
    /// The service that the configuration wants; nil where it wants none.
    ///
    /// - Parameters:
    ///   - gains: what players learn of it.
    ///   - changed: called when songs got stickers.
    /// - Throws: `TrackError` when the folder for songs in passing can't be made.
    init?(
        _ configuration: Configuration, _ sources: Sources, _ gains: MeasuredGains?,
        changed: @escaping @Sendable () async -> Void
    ) throws {
        let analysis = configuration.discovery.analysis
        if analysis == .off { return nil }
        let (library, log) = (sources.library, Logger(label: "segue.analysis"))
        let opening = try analysis == .library ? sources.passingTracks(configuration).opening : nil
        let load = { @Sendable (song: SongID?) in
            do { try await gains?.load(library, song) } catch {
                log.error("what was measured can't be read: \(chain: error)")
            }
        }
        self.init(
            library, tracks: sources.tracks, opening: opening, needsBeats: configuration.playback.fades.matchesBeats,
            log: log,
            done: { song in
                await load(song)
                await changed()
            }, renewed: { await load(nil) })
    }

    /// Tells players what is known, then measures songs until the task is cancelled.
    func run(_ gains: MeasuredGains?, _ library: Library) async {
        do { try await gains?.load(library) } catch {
            Logger(label: "segue.analysis").error("what was measured can't be read: \(chain: error)")
        }
        await run()
    }
}

extension Sources {
    /// Songs for a check of them, past the cache.
    ///
    /// - Throws: `TrackError` when their folder can't be made.
    func passingTracks(_ configuration: Configuration) throws -> PassingTracks {
        try PassingTracks(
            directory: configuration.server.cacheDirectory + "/passing", keepFree: configuration.cache.keepFree,
            cache: tracks, client: client, bytesPerSecond: configuration.discovery.analysisBandwidth,
            log: Logger(label: "segue.analysis"))
    }
}

extension PassingTracks {
    /// Opens songs for the analysis.
    var opening: AnalysisService.Opening {
        return { song, measure in
            do { return try await open(song, measure) } catch let error as Interruption {
                throw AnalysisSourceAway(error.message, cause: error)
            }
        }
    }
}

extension ServerLikeness {
    /// Asks the library's server; nil without one, or where it is not to be asked.
    init?(_ configuration: Configuration, _ sources: Sources) {
        guard configuration.discovery.usesServerSimilarity, let client = sources.client else { return nil }
        let server = SimilarityQuestions(client, sources.library, mount: configuration.navidrome?.mount ?? "")
        self.init(
            { try await server.related(to: $0) }, library: sources.library, log: Logger(label: "segue.discovery"))
    }
}
