import LibraryIndex
import MPDProtocol
import ServerLoop

/// Lists the songs of a stored playlist with their tags.
///
/// - Wire: `listplaylistinfo {NAME} [START:END]` → songs.
/// - Shape: the playlist is a stored one, a file of the music folder by its path, or one on a web server by its URL.
/// - Errors: ACK 50 for what isn't there, 2 for a malformed name or range, 5 or 52 for a server that fails.
/// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_listplaylistinfo`.
struct ListPlaylistInfoCommand: Command {
    static let name: StaticString = "listplaylistinfo"
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
        try await response.playlistEntries(consume entries, range, .songs, in: context)
    }
}
