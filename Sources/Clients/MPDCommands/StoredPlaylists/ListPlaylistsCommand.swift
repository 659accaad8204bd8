import MPDProtocol
import ServerLoop
import UserLibrary

/// Lists the stored playlists.
///
/// - Wire: `listplaylists` → `playlist: NAME` and `Last-Modified: TIME` for each.
/// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_listplaylists`.
struct ListPlaylistsCommand: Command {
    static let name: StaticString = "listplaylists"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.14")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        response.storedPlaylists(try await context.server.library.storedPlaylists())
    }
}
