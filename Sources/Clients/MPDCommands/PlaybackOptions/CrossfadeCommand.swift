import MPDProtocol
import Playback
import ServerLoop

/// Sets how long songs overlap.
///
/// - Wire: `crossfade {SECONDS}` → `OK`; 0 joins songs gapless.
/// - Errors: ACK 2 for a bad number.
/// - Source: MPD v0.24.13 src/command/PlayerCommands.cxx `handle_crossfade`.
struct CrossfadeCommand: ImmediateCommand {
    static let name: StaticString = "crossfade"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{SECONDS}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let seconds: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        seconds = try arguments.unsigned()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        context.player.setCrossfade(seconds)
    }
}
