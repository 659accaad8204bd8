import LibraryIndex
package import MPDCommands
import MPDProtocol
package import MPDSessions
import MusicModel
import NIOCore
import NIOEmbedded
package import Playback
package import ServerLoop
package import UserLibrary

/// The whole server but for sockets and sound, for fuzzing it and for counting what it does.
///
/// - Isolation: ServerActor.
@ServerActor
package final class InProcessServer {
    /// The partition that every client begins in.
    package let player: Player
    /// What commands share.
    package let context: ServerContext
    /// The server itself, which has no sockets until it listens.
    package let server: MPDServer
    private let playing: Task<Void, Never>

    /// Puts a server around an opened library.
    package init(library: Library, options: MPDServerOptions = MPDServerOptions()) {
        let hub = IdleHub()
        let relay = PartitionRelay(hub: hub)
        let player = Player(engine: SoundlessEngine(), provider: nil) { relay.changed($0) }
        let partition = Partition(name: "default", player: player)
        relay.partition = partition
        self.player = player
        context = ServerContext(
            ServerParts(library: library, updating: NoUpdates(), pictures: NoPictures()), partitions: [partition],
            clients: hub)
        server = MPDServer(context: context, hub: hub, options: options)
        playing = Task { @ServerActor in await player.run() }
    }

    /// Ends the player; every client must be gone.
    package func close() { playing.cancel() }

    /// Connects a client, which must not outlive the server.
    package func connect(isSlow: Bool = false) throws -> InProcessClient {
        let client = InProcessClient(isSlow: isSlow)
        try client.open { [server] channel in server.accept(channel, isLocal: false) }
        return client
    }

    /// Passes a player's changes on to the clients of its partition.
    @ServerActor
    private final class PartitionRelay {
        weak var partition: Partition?
        private let hub: IdleHub

        init(hub: IdleHub) { self.hub = hub }

        func changed(_ subsystems: Subsystem) { hub.notify(subsystems, partition: partition) }
    }
}

/// Never has anything to update.
private final class NoUpdates: LibraryUpdating {
    var runningJob: Int? { nil }

    func startUpdate(uri: String, rescan: Bool) -> Int? { 1 }
}

/// One picture for everything below `Covers`.
private final class NoPictures: PictureProviding {
    func albumArt(for uri: String) async throws -> FoundCover? {
        uri.hasPrefix("Covers") ? (Array(repeating: 10, count: 10_000), "image/png", nil) : nil
    }

    func cover(inFolder path: String) async throws -> FoundCover? { nil }

    func picture(of uri: String) async throws -> (bytes: [UInt8], mimeType: String?)? {
        try await albumArt(for: uri).map { ($0.bytes, $0.mimeType) }
    }
}
