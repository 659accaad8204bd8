import MPDProtocol
import MusicModel
import ServerLoop

/// Counts the songs of a stored playlist and their playing time.
///
/// - Wire: `playlistlength {NAME}` → `songs: N`, `playtime: SECONDS`.
/// - Errors: ACK 50 for what isn't there, 2 for a malformed name.
/// - Source: MPD v0.24.13 src/playlist/Length.cxx.
struct PlaylistLengthCommand: Command {
    static let name: StaticString = "playlistlength"
    static let permission = Permission.read
    static let argumentCount = 1...1
    static let usage: StaticString = "{NAME}"
    static let origin = CommandOrigin.mpd(since: "0.24")

    private let playlist: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let length = try await context.playlistLength(playlist)
        response.line("songs: ", length.songs)
        response.line("playtime: ", length.playtime.evenlyRoundedSeconds)
    }
}
