import MPDProtocol
import ServerLoop

/// Lists what the client may send.
///
/// - Wire: `commands` → `command: NAME` lines, sorted.
/// - Source: MPD v0.24.13 src/command/AllCommands.cxx `PrintAvailableCommands`.
struct CommandsCommand: Command {
    static let name: StaticString = "commands"
    static let permission = Permission.none
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        for command in CommandTable.commands
        where command.isAllowed(with: context.client.permission) && command.isAvailable(in: context.server) {
            response.line("command: ", command.word)
        }
    }
}
