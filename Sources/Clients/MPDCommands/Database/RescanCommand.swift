import LibraryIndex
import MPDProtocol
import ServerLoop

/// Reads everything in the sources again, also what seems unchanged.
///
/// - Wire: `rescan [URI]` → `updating_db: JOBID`; an empty URI and `/` are the whole library, and none need exist.
/// - Errors: ACK 2 for a malformed path.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_rescan`.
struct RescanCommand: Command {
    static let name: StaticString = "rescan"
    static let permission = Permission.control
    static let argumentCount = 0...1
    static let usage: StaticString = "[URI]"
    static let origin = CommandOrigin.mpd(since: "0.16")

    private let path: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        path = try arguments.updatePath()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        response.line("updating_db: ", context.server.updating.startUpdate(uri: path, rescan: true))
    }
}
