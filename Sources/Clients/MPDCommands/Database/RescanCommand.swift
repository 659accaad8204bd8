import LibraryIndex
import MPDProtocol
import ServerLoop

/// Reads everything in the sources again, also what seems unchanged.
///
/// - Wire: `rescan [URI]` → `updating_db: JOBID`; an empty URI and `/` are the whole library, and none need exist.
/// - Errors: ACK 2 for a malformed path, 54 while 32 other paths wait for the job that runs.
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

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        response.line("updating_db: ", try context.startUpdate(path, rescan: true))
    }
}
