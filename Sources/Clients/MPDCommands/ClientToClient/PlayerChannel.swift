import MPDProtocol
import ServerLoop

/// The channel by which clients that only know MPD's commands send those of our own: `sendmessage segue "speed 1.25"`.
enum PlayerChannel {
    static let name = "segue"

    /// Carries out a text that was sent to the channel; false if it is none of our commands.
    ///
    /// - Throws: what the command refuses, or ACK 4 where the client may not use it.
    @ServerActor
    static func carryOut(
        _ text: String, in context: CommandContext, response: inout ResponseWriter
    ) throws -> Bool {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let command = [Command.speed, .sleepTimer].first(where: { $0.name == words.first }) else { return false }
        let action = try command.action(Array(words.dropFirst()), permission: context.client.permission)
        guard words.count == 2 else { throw AckError(.argument, "too few arguments for \"\(command.name)\"") }
        if case .immediate(let run) = action { try run(context, &response) }
        return true
    }
}
