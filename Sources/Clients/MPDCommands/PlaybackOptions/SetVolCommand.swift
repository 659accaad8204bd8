import MPDProtocol
import Playback
import ServerLoop

/// Sets the volume.
///
/// - Wire: `setvol {VOL}` → `OK`; 0 to 100.
/// - Errors: ACK 2 for a bad number.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_setvol`.
struct SetVolCommand: ImmediateCommand {
    static let name: StaticString = "setvol"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{VOL}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let volume: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        volume = try arguments.unsigned(maximum: 100)
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        context.player.setVolume(volume)
    }
}
