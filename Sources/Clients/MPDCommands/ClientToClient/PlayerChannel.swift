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
        guard let word = words.first, let type = commands[word] else { return false }
        guard context.client.permission.contains(type.permission) else {
            throw AckError(.permission, "you don't have permission for \"\(word)\"")
        }
        guard words.count == 2 else { throw AckError(.argument, "too few arguments for \"\(word)\"") }
        var arguments = Arguments([words[1]])
        try type.init(parsing: &arguments).run(in: context, response: &response)
        return true
    }

    private static let commands: [String: any ImmediateCommand.Type] = [
        "speed": SpeedCommand.self, "sleeptimer": SleepTimerCommand.self,
    ]
}
