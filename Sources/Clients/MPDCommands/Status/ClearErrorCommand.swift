import MPDProtocol
import Playback
import ServerLoop

/// Forgets the error that `status` shows; trouble with the library's server shows again when it changes.
///
/// - Wire: `clearerror` → `OK`.
/// - Source: MPD v0.24.13 doc/protocol.rst `clearerror`.
struct ClearErrorCommand: ImmediateCommand {
    static let name: StaticString = "clearerror"
    static let permission = Permission.player
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
        context.player.clearError()
        context.server.setServerTrouble(nil)
    }
}
