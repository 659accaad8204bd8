import MPDProtocol
import ServerLoop

/// Lists the songs of a stored playlist with their tags.
///
/// - Wire: `listplaylistinfo {NAME} [START:END]` → songs.
/// - Errors: ACK 50 for what isn't there, 2 for a malformed name or range.
/// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_listplaylistinfo`.
struct ListPlaylistInfoCommand: Command {
    static let name: StaticString = "listplaylistinfo"
    static let permission = Permission.read
    static let argumentCount = 1...2
    static let usage: StaticString = "{NAME} [START:END]"

    private let playlist: String
    private let range: ArgumentRange

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.string()
        range = arguments.isEmpty ? .everything : try arguments.range()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let items = try await context.storedPlaylist(playlist)
        try await response.playlistItems(range.part(of: items), in: context)
    }
}
