import MPDProtocol
import Playback
import ServerLoop

/// The surroundings of one run of a command.
package struct CommandContext: Sendable {
    /// The state that all clients share.
    package let server: ServerContext
    /// The client that sent it.
    package let client: ClientState
    /// The place in a command list, 0 outside of one.
    package let index: Int
    /// Takes the songs that commands add, in place of the queue; nil lets them into the queue.
    package let collector: SongCollector?

    /// Pairs the server with a client.
    package init(server: ServerContext, client: ClientState, index: Int = 0, collector: SongCollector? = nil) {
        self.server = server
        self.client = client
        self.index = index
        self.collector = collector
    }

    @ServerActor var player: Player { client.partition.player }
}
