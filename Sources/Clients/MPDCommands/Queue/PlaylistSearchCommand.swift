import MPDProtocol
import MusicModel
import ServerLoop

/// Searches the queue without regard to case, old-style filters also within values.
///
/// - Wire: `playlistsearch {FILTER} [sort {TYPE}] [window {START:END}]` → songs with `Pos` and `Id`.
/// - Errors: ACK 2 for a bad filter, sort or window.
/// - Source: MPD v0.24.13 src/command/QueueCommands.cxx `handle_playlist_match`.
struct PlaylistSearchCommand: Command {
    static let name: StaticString = "playlistsearch"
    static let permission = Permission.read
    static let argumentCount = 1...Int.max
    static let usage: StaticString = "{FILTER} [sort {TYPE}] [window {START:END}]"
    static let origin = CommandOrigin.mpd(since: "0.13")

    private let query: SongQuery

    init(parsing arguments: inout Arguments) throws(AckError) {
        query = try arguments.query(foldsCase: true, inQueue: true)
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try await response.queueMatches(context.normalized(query), in: context)
    }
}
