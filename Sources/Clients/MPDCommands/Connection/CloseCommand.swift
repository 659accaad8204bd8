import MPDProtocol
import ServerLoop

/// Ends the connection.
///
/// - Wire: `close`, without an answer; arguments are ignored.
/// - Source: MPD v0.24.13 src/command/ClientCommands.cxx `handle_close`.
struct CloseCommand: Command {
    static let name: StaticString = "close"
    static let permission = Permission.none
    static let argumentCount = 0...Int.max
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func attempt(in context: CommandContext, response: inout ResponseWriter) -> CommandAttempt { .closes }

    /// Does nothing: only a connection can end.
    func run(in context: CommandContext, response: inout ResponseWriter) {}
}
