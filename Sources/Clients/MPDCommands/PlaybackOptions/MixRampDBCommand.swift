import MPDProtocol
import Playback
import ServerLoop

/// Sets the loudness at which songs overlap by their MixRamp tags.
///
/// - Wire: `mixrampdb {dB}` → `OK`.
/// - Errors: ACK 2 for a bad number.
/// - Source: MPD v0.24.13 src/command/PlayerCommands.cxx `handle_mixrampdb`.
struct MixRampDBCommand: ImmediateCommand {
    static let name: StaticString = "mixrampdb"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{deciBels}"
    static let origin = CommandOrigin.mpd(since: "0.16")

    private let decibels: Double

    init(parsing arguments: inout Arguments) throws(AckError) {
        decibels = try arguments.float()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        context.player.setMixRampThreshold(decibels)
    }
}
