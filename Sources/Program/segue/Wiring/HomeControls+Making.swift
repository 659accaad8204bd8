import HomeAutomation
import Logging
import MPDCommands
import MPDProtocol
import MPDSessions
import MusicModel
import MediaControls
import NIOCore
import Playback
import SegueConfiguration
import ServerLoop
import UserLibrary

extension BrokerSettings {
    /// Takes the broker from the configuration.
    init(_ mqtt: Configuration.MQTT) {
        self.init(
            host: mqtt.host, port: mqtt.port ?? (mqtt.tls ? 8883 : 1883), username: mqtt.username,
            password: mqtt.password?.reveal(), isEncrypted: mqtt.tls, certificates: mqtt.certificate,
            topic: mqtt.topic, discovery: mqtt.discovery)
    }
}

extension HomeControls {
    /// Shows the players to the broker of the configuration.
    convenience init(
        _ mqtt: Configuration.MQTT, _ watch: PlayerWatch, _ library: Library, context: ServerContext, hub: IdleHub
    ) {
        let log = Logger(label: "segue.mqtt")
        let playlists = Playlists(
            names: { (try? await library.storedPlaylists(isolation: nil))?.map(\.name) ?? [] },
            play: { await Self.play($0, in: $1, context) })
        self.init(BrokerSettings(mqtt), watch, playlists, version: Segue.version, log: log)
        hub.watch { [weak self] everywhere, _ in
            if everywhere.contains(.storedPlaylist) { Task { await self?.playlistsChanged() } }
        }
    }

    /// Does what a client does that plays a playlist; gives the reason when that fails.
    private static func play(_ name: String, in partition: Partition, _ context: ServerContext) async -> String? {
        let client = ClientState(permission: .everything, partition: partition, isLocal: false)
        do {
            for words in [["clear"], ["load", name], ["play"]] {
                guard let entry = CommandTable.entries.first(where: { $0.name == words[0] }) else { continue }
                let command = try entry.command(Array(words.dropFirst()), permission: client.permission)
                var response = ResponseWriter(sink: NoAnswer())
                try await command.run(
                    in: CommandContext(server: context, client: client, index: 0), response: &response)
            }
            return nil
        } catch {
            return AckError.mapping(error).message
        }
    }
}

/// Takes answers that are not read.
private final class NoAnswer: ResponseSink {
    @ServerActor func send(_ bytes: ByteBuffer) async throws {}
}
