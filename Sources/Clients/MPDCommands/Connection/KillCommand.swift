import MPDProtocol
import ServerLoop

/// Ends the server in order, if the configuration allows that.
///
/// - Wire: `kill` → the connection closes.
/// - Errors: ACK 4 when it isn't allowed.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_kill`.
struct KillCommand: Command {
    static let name: StaticString = "kill"
    static let permission = Permission.admin
    static let argumentCount = 0...Int.max
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    static func isAvailable(in server: ServerContext) -> Bool { server.shutDown != nil }

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        guard let shutDown = context.server.shutDown else {
            throw AckError(.permission, "you don't have permission for \"kill\"")
        }
        shutDown()
    }
}
