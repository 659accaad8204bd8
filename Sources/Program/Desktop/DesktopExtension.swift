package import Diagnosis
package import Extensions
import Foundation
import Logging
import MPDCommands
import MPDProtocol
import MusicModel
import Playback
import Players
package import SegueConfiguration
import ServerLoop
import Supervision

/// Media keys, pausing for sleep and for pulled headphones, and announcing the server on the network.
package enum DesktopExtension: Extension {
    package static var sections: [any ExtensionSection.Type] { [MediaControlSettings.self, ZeroconfSettings.self] }

    @ServerActor
    package static func extend(_ server: ServerAccess, _ additions: inout ServerAdditions) {
        let (configuration, version) = (server.configuration, server.version)
        additions.serve("announcements") { started in
            let announcements = Announcement.all(configuration, version: version, of: started)
            await Announcer(announcements, log: Logger(label: "segue.zeroconf")).run()
        }
        guard let settings = configuration[MediaControlSettings.self] else { return }
        let desktop = DesktopControls(
            settings, PlayerWatch.Lookup(server.library), picture: server.picture, log: Logger(label: "segue.desktop"))
        if let watch = desktop.watch { additions.observers.append(watch) }
        additions.serve("desktop") { started in
            await desktop.run { await open($0, in: $1, InternalClient(started.context)) }
        }
        guard settings.pausesOnUnplug else { return }
        additions.serve("headphones") { started in
            let log = Logger(label: "segue.headphones")
            await HeadphoneWatch(log: log).run {
                Task { @ServerActor in pauseHere(started.context.partitions, log) }
            }
        }
    }

    private static let devices: Set<String> = ["auto", "alsa", "pulse", "pipewire", "jack"]

    /// Pauses what plays through a sound card, so that the room doesn't hear it; rooms elsewhere play on.
    @ServerActor
    private static func pauseHere(_ partitions: [Partition], _ log: Logger) {
        for partition in partitions where partition.player.isPlaying {
            let outputs = partition.player.engine.outputs
            guard outputs.contains(where: { $0.isEnabled && !$0.isMovedAway && devices.contains($0.plugin) }) else {
                continue
            }
            partition.player.run(MediaCommand.pause)
            log.info("headphones were unplugged: paused", metadata: ["partition": "\(partition.name)"])
        }
    }

    /// Plays what an address names; the log tells why that can't be done, since the desktop is not told.
    @ServerActor
    private static func open(_ uri: String, in partition: Partition, _ client: InternalClient) async {
        do {
            try await client.play(uri, in: partition)
        } catch {
            let address = StreamURL.withoutCredentials(uri)
            Logger(label: "segue.desktop").warning("\(address) can't be opened: \(error.message)")
        }
    }

    package static func check(
        _ configuration: Configuration, _ system: SystemChecks, _ report: inout CheckReport
    ) async {
        let findings = Self.findings(
            system, announces: configuration.isAnnounced,
            needsDesktop: configuration[MediaControlSettings.self]?.isEnabled == true,
            sessionBus: SessionBus.address(system.places.environment))
        findings.forEach { report.note($0) }
    }

    /// Finds out if D-Bus and Avahi answer where they are needed, and if there is a session's bus.
    static func findings(
        _ system: SystemChecks, announces: Bool, needsDesktop: Bool, sessionBus: String?
    ) -> [Finding] {
        var findings: [Finding] = []
        if announces {
            findings.append(system.service("D-Bus", at: "dbus/system_bus_socket", for: "announcing by Avahi"))
            findings.append(system.service("Avahi", at: "avahi-daemon/socket", for: "being found on the network"))
        }
        if needsDesktop {
            findings.append(
                sessionBus == nil
                    ? Finding(
                        "desktop", .warning,
                        "there is no session bus, so media keys don't reach Segue. Run it in "
                            + "the desktop's session, or set desktop.enabled = false.")
                    : Finding("desktop", .ok, "the session bus is known"))
        }
        return findings
    }
}

/// The `[desktop]` section: how Segue takes part in a desktop session.
struct MediaControlSettings: ExtensionSection {
    static let name = "desktop"
    /// True where it appears there at all; only processes of a session can.
    var isEnabled = true
    /// True where each partition is a player of its own; otherwise only the first one is.
    var showsPartitions = false
    /// True where the music pauses before the machine sleeps.
    var pausesOnSleep = false
    /// True where the music pauses when headphones are pulled out of a sound card.
    var pausesOnUnplug = false
    /// True where the machine stays awake while music plays.
    var inhibitsSleep = false

    /// Reads the keys; without the section the defaults apply.
    init?(reading section: inout SectionReader) {
        section.read("enabled", .flag, into: &isEnabled)
        section.read("partitions", .flag, into: &showsPartitions)
        section.read("pause_on_sleep", .flag, into: &pausesOnSleep)
        section.read("pause_on_unplug", .flag, into: &pausesOnUnplug)
        section.read("inhibit_sleep", .flag, into: &inhibitsSleep)
    }
}

/// Shows the players at the desktop by MPRIS, and does what media keys, headset buttons and lock screens ask for.
///
/// Outside of a desktop session nothing happens.
/// - Isolation: ServerActor; the bus has a thread of its own.
@ServerActor
final class DesktopControls {
    /// The observer that follows the players for the desktop; nil where there is none.
    let watch: PlayerWatch?
    private let settings: MediaControlSettings
    private let pictures: PictureFiles?
    private let log: Logger

    /// - Parameter picture: the picture of a song's album; nil when it has none.
    init(
        _ settings: MediaControlSettings, _ lookup: PlayerWatch.Lookup,
        picture: @escaping @Sendable (_ uri: String) async -> [UInt8]?, log: Logger
    ) {
        self.settings = settings
        self.log = log
        let environment = ProcessInfo.processInfo.environment
        guard settings.isEnabled, SessionBus.address(environment) != nil else {
            (watch, pictures) = (nil, nil)
            return
        }
        let folder = (environment["XDG_RUNTIME_DIR"] ?? NSTemporaryDirectory()) + "/segue"
        let pictures = PictureFiles(in: folder, log: log, picture)
        var lookup = lookup
        lookup.picture = { await pictures.path(of: $0, for: $1) }
        watch = PlayerWatch(lookup, followsAll: settings.showsPartitions)
        self.pictures = pictures
    }

    /// Serves the desktop until the task is cancelled; `open` plays an address in a partition, behind its current song.
    func run(open: @escaping @ServerActor (_ uri: String, Partition) async -> Void) async {
        guard let watch, let pictures else { return }
        let players = DesktopPlayers(settings, log: log) { partition, command in
            // Calls of one desktop arrive in order, and tasks of one actor start in order.
            Task { @ServerActor in
                guard let partition = watch.partition(named: partition) else { return }
                if case .open(let uri) = command {
                    await open(uri, partition)
                } else {
                    partition.player.run(command)
                }
            }
        }
        watch.begin { state, partition in
            if state?.song == nil { Task { await pictures.remove(for: partition) } }
            if let state { players.show(state, of: partition) } else { players.close(partition) }
        }
        await players.run {
            let isDone = DispatchSemaphore(value: 0)
            Task { @ServerActor in
                for partition in watch.partitions { partition.player.run(MediaCommand.pause) }
                isDone.signal()
            }
            _ = isDone.wait(timeout: .now() + 2)
        }
        watch.end()
        await pictures.removeAll()
    }
}
