import MPDProtocol
import Playback
import ServerLoop

/// Stops; the current song stays current.
///
/// - Wire: `stop` → `OK`, also when stopped.
/// - Source: MPD v0.24.13 src/queue/PlaylistControl.cxx `Stop`.
struct StopCommand: ImmediateCommand {
    static let name: StaticString = "stop"
    static let permission = Permission.player
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        context.player.stop()
    }
}
