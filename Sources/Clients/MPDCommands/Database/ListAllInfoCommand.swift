import LibraryIndex
import MPDProtocol
import ServerLoop
import UserLibrary

/// Lists a directory and all that is in it, with tags.
///
/// - Wire: `listallinfo [URI]` → `directory` lines and songs; an empty URI and `/` are the whole library.
/// - Errors: ACK 50 for what isn't there.
/// - Source: MPD v0.24.13 src/command/DatabaseCommands.cxx `handle_listallinfo`.
struct ListAllInfoCommand: Command {
    static let name: StaticString = "listallinfo"
    static let permission = Permission.read
    static let argumentCount = 0...1
    static let usage: StaticString = "[URI]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let path: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        let uri = arguments.next() ?? ""
        path = uri == "/" ? "" : uri
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let mask = context.client.tagMask
        try await response.copy(try await context.server.library.index.walk(path, detail: .blocks, mask: mask))
    }
}
