import LibraryIndex
import MPDProtocol
import ServerLoop

/// Searches for what has changed in the sources.
///
/// - Wire: `update [URI]` → `updating_db: JOBID`; an empty URI and `/` are the whole library, and none need exist.
/// - Errors: ACK 2 for a malformed path, 54 while 32 other paths wait for the job that runs.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_update`.
struct UpdateCommand: Command {
    static let name: StaticString = "update"
    static let permission = Permission.control
    static let argumentCount = 0...1
    static let usage: StaticString = "[URI]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let path: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        path = try arguments.updatePath()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        response.line("updating_db: ", try context.startUpdate(path, rescan: false))
    }
}

extension CommandContext {
    /// Starts an update, and gives the number of its job.
    ///
    /// - Throws: `AckError` 54 while too many other paths wait.
    @ServerActor
    func startUpdate(_ path: String, rescan: Bool) throws(AckError) -> Int {
        guard let job = server.updating.startUpdate(uri: path, rescan: rescan) else {
            throw AckError(.updateAlready, "Update queue is full")
        }
        return job
    }
}

extension Arguments {
    /// Takes what is to be updated, if anything is named.
    ///
    /// - Throws: `AckError` 2 for a malformed path.
    mutating func updatePath() throws(AckError) -> String {
        guard let path = next(), !path.isEmpty, path != "/" else { return "" }
        guard LocatedURI.isSafePath(path) else { throw AckError(.argument, "Malformed path") }
        return path
    }
}
