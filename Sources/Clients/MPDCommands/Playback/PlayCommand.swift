import MPDProtocol
import Playback
import ServerLoop

/// Plays the entry at a position, or goes on.
///
/// - Wire: `play [SONGPOS]` → `OK`; -1 is as good as none.
/// - Errors: ACK 2 `Bad song index` for a position that isn't there.
/// - Source: MPD v0.24.13 src/queue/PlaylistControl.cxx `PlayPosition`.
struct PlayCommand: ImmediateCommand {
    static let name: StaticString = "play"
    static let permission = Permission.player
    static let argumentCount = 0...1
    static let usage: StaticString = "[SONGPOS]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let position: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        position = arguments.isEmpty ? -1 : try arguments.integer()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        try context.player.play(position: position == -1 ? nil : position)
    }
}
