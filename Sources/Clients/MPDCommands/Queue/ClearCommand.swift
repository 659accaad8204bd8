import MPDProtocol
import Playback
import ServerLoop

/// Empties the queue and stops.
///
/// - Wire: `clear` → `OK`.
/// - Source: MPD v0.24.13 src/queue/PlaylistEdit.cxx `Clear`.
struct ClearCommand: Command {
    static let name: StaticString = "clear"
    static let permission = Permission.player
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try await context.player.edit(.all()) { $0.clear() }
    }
}
