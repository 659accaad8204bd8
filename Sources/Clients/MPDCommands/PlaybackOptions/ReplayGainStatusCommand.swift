import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Shows the ReplayGain mode.
///
/// - Wire: `replay_gain_status` → `replay_gain_mode: off`.
/// - Source: MPD v0.24.13 src/command/PlayerCommands.cxx `handle_replay_gain_status`.
struct ReplayGainStatusCommand: ImmediateCommand {
    static let name: StaticString = "replay_gain_status"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.16")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        response.line("replay_gain_mode: ", context.player.replayGainMode.rawValue)
    }
}
