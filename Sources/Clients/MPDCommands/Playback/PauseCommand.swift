import MPDProtocol
import Playback
import ServerLoop

/// Pauses, goes on, or toggles.
///
/// - Wire: `pause [0|1]` → `OK`, also when stopped.
/// - Errors: ACK 2 for something else than 0 or 1.
/// - Source: MPD v0.24.13 src/command/PlayerCommands.cxx `handle_pause`.
struct PauseCommand: ImmediateCommand {
    static let name: StaticString = "pause"
    static let permission = Permission.player
    static let argumentCount = 0...1
    static let usage: StaticString = "[STATE]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let isPaused: Bool?

    init(parsing arguments: inout Arguments) throws(AckError) {
        isPaused = arguments.isEmpty ? nil : try arguments.boolean()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        context.player.pause(isPaused)
    }
}
