import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

/// Finds songs without regard to case, old-style filters also within values.
///
/// - Wire: `search {FILTER} [sort {TYPE}] [window {START:END}]` → songs.
/// - Errors: ACK 2 for a bad filter, sort or window, 50 for a `base` that isn't there.
/// - Source: MPD v0.24.13 src/command/DatabaseCommands.cxx `handle_match`.
struct SearchCommand: Command {
    static let name: StaticString = "search"
    static let permission = Permission.read
    static let argumentCount = 1...Int.max
    static let usage: StaticString = "{FILTER} [sort {TYPE}] [window {START:END}]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let query: SongQuery

    init(parsing arguments: inout Arguments) throws(AckError) {
        query = try arguments.query(foldsCase: true)
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let library = context.server.library
        try await response.copy(try await library.index.find(context.normalized(query), mask: context.client.tagMask))
    }
}
