import MPDProtocol
import Playback
import ServerLoop

/// Plays the song after the current one.
///
/// - Wire: `next` → `OK`.
/// - Errors: ACK 55 when stopped.
/// - Source: MPD v0.24.13 src/queue/PlaylistControl.cxx `PlayNext`.
struct NextCommand: ImmediateCommand {
    static let name: StaticString = "next"
    static let permission = Permission.player
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        try context.player.next()
    }
}
