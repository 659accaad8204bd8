import LibraryIndex
import MPDProtocol
import ServerLoop
import UserLibrary

/// Lists the URIs of a directory and of all that is in it.
///
/// - Wire: `listall [URI]` → `directory`, `file` and `playlist` lines; an empty URI and `/` are the whole library.
/// - Errors: ACK 50 for what isn't there.
/// - Source: MPD v0.24.13 src/command/DatabaseCommands.cxx `handle_listall`.
struct ListAllCommand: Command {
    static let name: StaticString = "listall"
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
        try await response.copy(try await context.server.library.index.walk(path, detail: .uris, mask: mask))
    }
}
