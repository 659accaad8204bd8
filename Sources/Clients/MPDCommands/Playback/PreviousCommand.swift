import MPDProtocol
import Playback
import ServerLoop

/// Plays the song before the current one.
///
/// - Wire: `previous` → `OK`.
/// - Errors: ACK 55 when stopped.
/// - Source: MPD v0.24.13 src/queue/PlaylistControl.cxx `PlayPrevious`.
struct PreviousCommand: ImmediateCommand {
    static let name: StaticString = "previous"
    static let permission = Permission.player
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        try context.player.previous()
    }
}
