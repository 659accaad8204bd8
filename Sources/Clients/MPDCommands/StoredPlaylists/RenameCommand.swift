import LibraryIndex
import MPDProtocol
import ServerLoop
import UserLibrary

/// Renames a stored playlist.
///
/// - Wire: `rename {NAME} {NEW_NAME}` → `OK`.
/// - Errors: ACK 50 for what isn't there, 56 when the new name is taken, 2 for a bad name.
/// - Source: MPD v0.24.13 src/PlaylistFile.cxx `spl_rename`.
struct RenameCommand: Command {
    static let name: StaticString = "rename"
    static let permission = Permission.control
    static let argumentCount = 2...2
    static let usage: StaticString = "{NAME} {NEW_NAME}"
    static let origin = CommandOrigin.mpd(since: "0.13")

    private let playlist: String
    private let newName: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.playlistName()
        newName = try arguments.playlistName()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        do {
            try await context.server.library.renameStoredPlaylist(playlist, to: newName)
        } catch let error as LibraryError where error.code == .playlistExists {
            throw AckError(.exist, "Playlist exists already")
        }
        context.playlistsChanged()
    }
}
