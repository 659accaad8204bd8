import MPDProtocol
import ServerLoop
import UserLibrary

/// Removes a stored playlist with its stickers.
///
/// - Wire: `rm {NAME}` → `OK`.
/// - Errors: ACK 50 for what isn't there, 2 for a bad name.
/// - Source: MPD v0.24.13 src/PlaylistFile.cxx `spl_delete`.
struct RmCommand: Command {
    static let name: StaticString = "rm"
    static let permission = Permission.control
    static let argumentCount = 1...1
    static let usage: StaticString = "{NAME}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let playlist: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.playlistName()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let library = context.server.library
        try await library.removeStoredPlaylist(playlist)
        context.playlistsChanged()
        context.stickerChanged(try await library.deleteStickers(of: .playlist(playlist)).last)
    }
}
