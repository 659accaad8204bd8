import LibraryIndex
import MPDProtocol
import ServerLoop

/// Lists the URIs of a stored playlist.
///
/// - Wire: `listplaylist {NAME} [START:END]` → `file` lines.
/// - Shape: the playlist is a stored one, a file of the music folder by its path, or one on a web server by its URL.
/// - Errors: ACK 50 for what isn't there, 2 for a malformed name or range, 5 or 52 for a server that fails.
/// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_listplaylist`.
struct ListPlaylistCommand: Command {
    static let name: StaticString = "listplaylist"
    static let permission = Permission.read
    static let argumentCount = 1...2
    static let usage: StaticString = "{NAME} [START:END]"
    static let origin = CommandOrigin.mpd(since: "0.12")

    private let playlist: String
    private let range: ArgumentRange

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.string()
        range = arguments.isEmpty ? .everything : try arguments.range()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let entries = try await context.playlistEntries(playlist)
        try await response.playlistEntries(consume entries, range, .uris, in: context)
    }
}
