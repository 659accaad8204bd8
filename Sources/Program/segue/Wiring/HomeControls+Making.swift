import HomeAutomation
import Logging
import MPDCommands
import MPDProtocol
import MPDSessions
import MusicModel
import Desktop
import Playback
import ServerLoop
import UserLibrary

extension HomeControls {
    /// Shows the players to the broker of the configuration.
    convenience init(
        _ mqtt: BrokerSettings, _ watch: PlayerWatch, _ library: Library, context: ServerContext, hub: IdleHub
    ) {
        let log = Logger(label: "segue.mqtt")
        let playlists = Playlists(
            names: { (try? await library.storedPlaylists(isolation: nil))?.map(\.name) ?? [] },
            play: { await Self.play($0, in: $1, context) })
        self.init(mqtt, watch, playlists, version: Segue.version, log: log)
        hub.watch { [weak self] everywhere, _ in
            if everywhere.contains(.storedPlaylist) { Task { await self?.playlistsChanged() } }
        }
    }

    /// Does what a client does that plays a playlist; gives the reason when that fails.
    private static func play(_ name: String, in partition: Partition, _ context: ServerContext) async -> String? {
        do throws(AckError) {
            let client = InternalClient(context)
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
