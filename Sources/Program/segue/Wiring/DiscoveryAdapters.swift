import AutoDJ
import Discovery
import Logging
import MPDCommands
import MPDProtocol
import MusicModel
import Playback
import SegueConfiguration
import ServerLoop
import UserLibrary

// What the auto-DJ is made with, from the configuration, and what commands see of it.

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

extension MixService {
    /// The playlists that the configuration wants; nil where it wants none.
    ///
    /// - Parameter changed: called when clients see other playlists.
    init?(
        _ configuration: Configuration, _ library: Library, _ settings: DJSettings,
        changed: @escaping @Sendable () async -> Void
    ) {
        let groups = Set(configuration.discovery.playlists.compactMap { MixGroup(rawValue: $0.rawValue) })
        if groups.isEmpty { return nil }
        self.init(
            library, groups: groups, rules: settings.rules, except: settings.except,
            log: Logger(label: "segue.discovery"), changed: changed)
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
