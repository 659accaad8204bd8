import MPDProtocol
import ServerLoop
import UserLibrary

/// Empties a stored playlist.
///
/// - Wire: `playlistclear {NAME}` → `OK`.
/// - Errors: ACK 50 for what isn't there, 2 for a bad name.
/// - Source: MPD v0.24.13 src/PlaylistFile.cxx `spl_clear`.
struct PlaylistClearCommand: Command {
    static let name: StaticString = "playlistclear"
    static let permission = Permission.control
    static let argumentCount = 1...1
    static let usage: StaticString = "{NAME}"
    static let origin = CommandOrigin.mpd(since: "0.13")

    private let playlist: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.playlistName()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try await context.server.library.clearStoredPlaylist(playlist)
        context.playlistsChanged()
    }
}
