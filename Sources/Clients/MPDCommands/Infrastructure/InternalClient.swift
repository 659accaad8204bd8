package import MPDProtocol
package import Playback
package import ServerLoop

/// Runs MPD's commands for a part of Segue that is no client, such as the desktop's media keys or a broker of messages.
@ServerActor
package struct InternalClient {
    private let context: ServerContext

    /// The answers of such commands are short; longer ones end with an error.
    private static let answerLimit = 64 << 10

    /// Runs commands on the server's state.
    package init(_ context: ServerContext) { self.context = context }

    /// Runs a command, with its arguments in `words`, as a client with every permission would, and returns the answer.
    @discardableResult
    package func run(_ words: [String], in partition: Partition) async throws(AckError) -> [(
        key: String, value: String
    )] {
        let client = ClientState(permission: .everything, partition: partition, isLocal: false)
        let sink = CollectedAnswer(limit: Self.answerLimit)
        do {
            guard let name = words.first, let command = CommandTable.byName[name] else {
                throw AckError(.unknown, "unknown command \"\(words.first ?? "")\"")
            }
            let action = try command.action(Array(words.dropFirst()), permission: client.permission)
            var response = ResponseWriter(sink: sink)
            try await action.run(in: CommandContext(server: context, client: client), response: &response)
            try await response.flush()
        } catch {
            throw AckError.mapping(error)
        }
        return sink.take().pairs
    }

    /// Puts a song or stream behind the current song, and plays it.
    package func play(_ uri: String, in partition: Partition) async throws(AckError) {
        let position = partition.player.current == nil ? [] : ["+0"]
        for (key, value) in try await run(["addid", uri] + position, in: partition) where key == "Id" {
            try await run(["playid", value], in: partition)
        }
    }
}
