import MPDProtocol
import Playback
import ServerLoop

/// Shows the volume.
///
/// - Wire: `getvol` → `volume: 0` to `volume: 100`.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_getvol`.
struct GetVolCommand: ImmediateCommand {
    static let name: StaticString = "getvol"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.23")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        response.line("volume: ", context.player.status.volume)
    }
}
