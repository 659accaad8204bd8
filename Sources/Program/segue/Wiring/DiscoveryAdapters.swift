import Players
import Discovery
import LibraryIndex
import Logging
import MPDCommands
import MPDProtocol
import MediaCache
import MusicModel
import Playback
import SegueConfiguration
import ServerLoop
import SongAnalysis
import Subsonic
import UserLibrary
import Wishes

// The settings of the auto-DJ and of discovery, and their face for commands.

extension DJSettings {
    /// The settings of `[dj]`, with what counts as a long song.
    init(_ configuration: Configuration) {
        self = configuration.dj
        rules.maxSong = configuration.playback.resumeLongSongs
    }
}

extension WishServer {
    /// The server that reads wishes in words; nil where there is none.
    convenience init?(_ configuration: Configuration) {
        guard let prompt = configuration.prompt else { return nil }
        self.init(prompt, log: Logger(label: "segue.dj"))
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
        guard let client = sources.client else { return nil }
        self.init(isServerAway: { client.isAway }) { [tracks = sources.tracks, index = sources.library.index] in
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
            library, tracks: sources.tracks, opening: opening, needsBeats: configuration.playback.matchesBeats,
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

/// The channel by which clients talk with the auto-DJ.
@ServerActor
final class DJChannel: ChannelTaking {
    /// The channel of clients whose listeners chat, such as ncmpc.
    private static let chat = "chat"

    private let dj: DiscJockey
    /// The partitions whose listeners spoke with it in the chat last, and are answered there.
    private var chatting: Set<ObjectIdentifier> = []

    init(_ dj: DiscJockey) { self.dj = dj }

    var name: String { DiscJockey.channel }

    /// The channels on which it answers.
    func channels(of partition: Partition) -> [String] {
        chatting.contains(ObjectIdentifier(partition)) ? [name, Self.chat] : [name]
    }

    func isListed(in partition: Partition) -> Bool { dj.isShown || dj.isOn(in: partition) }

    func take(_ text: String, on channel: String, in partition: Partition) -> Bool {
        if channel == name {
            chatting.remove(ObjectIdentifier(partition))
            dj.take(text, in: partition)
            return true
        }
        guard channel == Self.chat, isListed(in: partition), let words = Self.words(inChat: text) else { return false }
        chatting.insert(ObjectIdentifier(partition))
        dj.take(words, in: partition)
        return true
    }

    /// The words behind `dj` at the beginning of a line, before which ncmpc puts its listener's name: `<ada> dj on`.
    private static func words(inChat line: String) -> String? {
        var line = line[...]
        if line.hasPrefix("<"), let end = line.firstIndex(of: ">") { line = line[line.index(after: end)...] }
        let words = line.split(separator: " ", maxSplits: 1)
        return words.count == 2 && words[0] == "dj" ? String(words[1]) : nil
    }

    func loaded(_ playlist: String, in partition: Partition) {
        if playlist == MixMaker.autoDJName { dj.take("on", in: partition) }
    }
}

extension ServerContext {
    /// Passes on to clients what the auto-DJ says, until the task is cancelled.
    func tell(messagesOf dj: DiscJockey) async {
        let channel = parts.ownChannel as? DJChannel
        for await message in dj.messages {
            guard let partition = partitions.first(where: { $0.name == message.partition }) else { continue }
            for name in channel?.channels(of: partition) ?? [DiscJockey.channel] {
                send(message.text, on: name, in: partition)
            }
        }
    }
}
