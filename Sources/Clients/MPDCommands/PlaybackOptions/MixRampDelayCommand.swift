import MPDProtocol
import Playback
import ServerLoop

/// Sets the extra overlap that MixRamp takes away; `nan` switches MixRamp off.
///
/// - Wire: `mixrampdelay {SECONDS|nan}` → `OK`.
/// - Errors: ACK 2 for a bad number.
/// - Source: MPD v0.24.13 src/command/PlayerCommands.cxx `handle_mixrampdelay`, doc/protocol.rst `mixrampdelay`.
struct MixRampDelayCommand: ImmediateCommand {
    static let name: StaticString = "mixrampdelay"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{SECONDS}"
    static let origin = CommandOrigin.mpd(since: "0.16")

    private let seconds: Double?

    init(parsing arguments: inout Arguments) throws(AckError) {
        seconds = arguments.peek?.lowercased() == "nan" ? nil : try arguments.float()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        context.player.setMixRampDelay(seconds)
    }
}
