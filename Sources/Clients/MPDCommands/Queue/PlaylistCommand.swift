import MPDProtocol
import Playback
import ServerLoop

/// Shows the URIs of the queue; clients are told to use `playlistinfo`.
///
/// - Wire: `playlist` → `0:file: URI` lines.
/// - Source: MPD v0.24.13 src/queue/Print.cxx `queue_print_uris`.
struct PlaylistCommand: Command {
    static let name: StaticString = "playlist"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try await response.queueURIs(context.player.entries, in: context)
    }
}
