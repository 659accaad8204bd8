import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Chooses which ReplayGain values apply.
///
/// - Wire: `replay_gain_mode {off|track|album|auto}` → `OK`.
/// - Errors: ACK 2 for another word.
/// - Source: MPD v0.24.13 src/ReplayGainMode.cxx.
struct ReplayGainModeCommand: ImmediateCommand {
    static let name: StaticString = "replay_gain_mode"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{MODE}"
    static let origin = CommandOrigin.mpd(since: "0.16")

    private let mode: ReplayGainMode

    init(parsing arguments: inout Arguments) throws(AckError) {
        guard let mode = ReplayGainMode(rawValue: try arguments.string()) else {
            throw AckError(.argument, "Unrecognized replay gain mode")
        }
        self.mode = mode
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        context.player.setReplayGainMode(mode)
    }
}
