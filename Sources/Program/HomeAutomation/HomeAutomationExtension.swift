package import Extensions
import Logging
import MPDCommands
import MPDProtocol
import MPDSessions
import MusicModel
import Playback
import Players
package import SegueConfiguration
import ServerLoop
import UserLibrary

/// The players at an MQTT broker.
package enum HomeAutomationExtension: Extension {
    package static var sections: [any ExtensionSection.Type] { [BrokerSettings.self] }

    @ServerActor
    package static func extend(_ server: ServerAccess, _ additions: inout ServerAdditions) {
        guard let settings = server.configuration[BrokerSettings.self] else { return }
        let watch = PlayerWatch(.init(server.library), followsAll: settings.showsPartitions)
        additions.observers.append(watch)
        additions.serve("home automation") { started in
            let playlists = HomeControls.Playlists(
                names: { [library = server.library] in
                    (try? await library.storedPlaylists(isolation: nil))?.map(\.name) ?? []
                },
                play: { await play($0, in: $1, InternalClient(started.context)) })
            let home = HomeControls(
                settings, watch, playlists, version: server.version, log: Logger(label: "segue.mqtt"))
            server.hub.watch { [weak home] everywhere, _ in
                if everywhere.contains(.storedPlaylist) { Task { await home?.playlistsChanged() } }
            }
            await home.run()
        }
    }

    /// Plays a playlist in place of the queue; gives the reason when that fails.
    @ServerActor
    private static func play(_ name: String, in partition: Partition, _ client: InternalClient) async -> String? {
        do throws(AckError) {
            // A name of no playlist leaves the queue as it is.
            let earlier = partition.player.count
            try await client.run(["load", name], in: partition)
            if earlier > 0 { try await client.run(["delete", "0:\(earlier)"], in: partition) }
            try await client.run(["play"], in: partition)
            return nil
        } catch {
            return error.message
        }
    }
}
