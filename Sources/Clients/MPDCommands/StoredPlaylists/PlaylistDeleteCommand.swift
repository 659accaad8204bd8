import MPDProtocol
import ServerLoop
import UserLibrary

/// Removes items from a stored playlist.
///
/// - Wire: `playlistdelete {NAME} {POS|START:END}` → `OK`; -1 is everything, a too large end is clipped.
/// - Errors: ACK 50 for what isn't there, 2 for a bad name, a malformed range or a start beyond the end.
/// - Source: MPD v0.24.13 src/PlaylistFile.cxx `PlaylistFileEditor::RemoveRange`.
struct PlaylistDeleteCommand: Command {
    static let name: StaticString = "playlistdelete"
    static let permission = Permission.control
    static let argumentCount = 2...2
    static let usage: StaticString = "{NAME} {SONGPOS|START:END}"
    static let origin = CommandOrigin.mpd(since: "0.13")

    private let playlist: String
    private let range: ArgumentRange

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.playlistName()
        range = try arguments.range()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try await context.server.library.deleteFromStoredPlaylist(playlist, range.start..<(range.end ?? .max))
        context.playlistsChanged()
    }
}
