import MPDProtocol
import Playback
import ServerLoop

/// Plays the entry at a position from a time on.
///
/// - Wire: `seek {SONGPOS} {TIME}` → `OK`. Stays paused when paused, starts when stopped.
/// - Units: seconds, with a fraction.
/// - Errors: ACK 2 for bad numbers and a position that isn't there.
/// - Source: MPD v0.24.13 src/queue/PlaylistControl.cxx `SeekSongPosition`.
struct SeekCommand: ImmediateCommand {
    static let name: StaticString = "seek"
    static let permission = Permission.player
    static let argumentCount = 2...2
    static let usage: StaticString = "{SONGPOS} {TIME}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let position: Int
    private let time: Duration

    init(parsing arguments: inout Arguments) throws(AckError) {
        position = try arguments.unsigned()
        time = try arguments.time()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        try context.player.seek(position: position, to: time)
    }
}
