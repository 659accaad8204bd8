import MPDProtocol
import Playback
import ServerLoop

/// Changes the volume by some percent, as far as it goes.
///
/// - Wire: `volume {CHANGE}` → `OK`; -100 to 100.
/// - Errors: ACK 2 for a bad number.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_volume`.
struct VolumeCommand: ImmediateCommand {
    static let name: StaticString = "volume"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{CHANGE}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let change: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        change = try arguments.integer(in: -100...100)
    }

    func run(in context: CommandContext, response: inout ResponseWriter) {
        let volume = context.player.status.volume
        context.player.setVolume(min(100, max(0, volume + change)))
    }
}
