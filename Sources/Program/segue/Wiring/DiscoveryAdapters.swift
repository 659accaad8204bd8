import AutoDJ
import Discovery
import Logging
import MPDCommands
import MPDProtocol
import MediaCache
import MusicModel
import Playback
import SegueConfiguration
import ServerLoop
import SongAnalysis
import UserLibrary
import Wishes

// The auto-DJ's settings from the configuration, and its face for commands.

extension DJSettings {
    /// The settings as the configuration has them.
    ///
    /// - Throws: `CommandFailure` when `except` is no filter.
    init(_ configuration: Configuration) throws {
        self.init()
        let dj = configuration.dj
        showsSwitch = dj.showsSwitch
        mode = PickMode(rawValue: dj.mode.rawValue) ?? .similar
        ahead = dj.ahead
        explains = dj.explains
        rules.repeatHours = dj.repeatHours
        rules.artistGap = dj.artistGap
        rules.lowestRating = dj.lowestRating
        rules.adventure = dj.adventure
        rules.longestSong = configuration.playback.resumeLongSongs
        do throws(AckError) {
            except = try dj.except.map { text throws(AckError) in try SongFilter(parsing: [text], foldsCase: false) }
        } catch {
            throw CommandFailure("dj.except in the configuration is no filter: \(error.message)")
        }
    }
}

extension WishServer {
    /// The server that reads wishes in words; nil where there is none.
    convenience init?(_ configuration: Configuration) {
        guard let prompt = configuration.dj.prompt else { return nil }
        var settings = WishServerSettings(url: prompt.url)
        settings.model = prompt.model
        settings.key = prompt.key?.reveal()
        settings.timeout = prompt.timeout
        self.init(settings, log: Logger(label: "segue.dj"))
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
        let groups = Set(configuration.discovery.playlists.compactMap { MixGroup(rawValue: $0.rawValue) })
        if groups.isEmpty { return nil }
        self.init(
            library, groups: groups, rules: settings.rules, except: settings.except, likeness: likeness,
            log: Logger(label: "segue.discovery"), changed: changed)
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
        self.init(library, tracks: sources.tracks, opening: opening, log: log) { song in
            do { try await gains?.load(library, song) } catch {
                log.error("what was measured can't be read: \(chain: error)")
            }
            await changed()
        }
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
    /// Songs for a look at them, past the cache.
    ///
    /// - Throws: `TrackError` when their folder can't be made.
    func passingTracks(_ configuration: Configuration) throws -> PassingTracks {
        try PassingTracks(
            directory: configuration.server.cacheDirectory + "/passing", cache: tracks, client: client,
            bytesPerSecond: configuration.discovery.analysisBandwidth)
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

/// The channel by which clients talk with the auto-DJ.
@ServerActor
final class DJChannel: ChannelTaking {
    private let dj: DiscJockey

    init(_ dj: DiscJockey) { self.dj = dj }

    var name: String { DiscJockey.channel }

    func isListed(in partition: Partition) -> Bool { dj.isShown || dj.isOn(in: partition) }

    func take(_ text: String, in partition: Partition) { dj.take(text, in: partition) }

    func loaded(_ playlist: String, in partition: Partition) {
        if playlist == MixMaker.autoDJName { dj.take("on", in: partition) }
    }
}

extension ServerContext {
    /// Passes on to clients what the auto-DJ says, until the task is cancelled.
    func tell(messagesOf dj: DiscJockey) async {
        for await message in dj.messages {
            guard let partition = partitions.first(where: { $0.name == message.partition }) else { continue }
            send(message.text, on: DiscJockey.channel, in: partition)
        }
    }
}
