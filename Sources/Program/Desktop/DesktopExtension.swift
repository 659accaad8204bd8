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
            await HeadphonePause(log: Logger(label: "segue.headphones")).run { started.context.partitions }
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

    /// Finds out if D-Bus and Avahi answer where they are needed.
    ///
    /// - Parameters:
    ///   - announces: true where there is anything that other machines reach.
    ///   - sessionBus: the address of the session's bus; nil where there is none.
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
