import MPDProtocol
import Playback
import ServerLoop

/// Moves within the current song.
///
/// - Wire: `seekcur {[+|-]TIME}` → `OK`; a sign makes it relative, and what would be before the start becomes 0.
/// - Units: seconds, with a fraction.
/// - Errors: ACK 2 for bad numbers, 55 when stopped.
/// - Source: MPD v0.24.13 src/queue/PlaylistControl.cxx `SeekCurrent`.
struct SeekCurCommand: ImmediateCommand {
    static let name: StaticString = "seekcur"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{TIME}"
    static let origin = CommandOrigin.mpd(since: "0.17")

    private let target: SeekTarget

    init(parsing arguments: inout Arguments) throws(AckError) {
        target = try arguments.seekTarget()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        switch target {
        case .absolute(let time): try context.player.seekCurrent(to: max(time, .zero), isRelative: false)
        case .relative(let time): try context.player.seekCurrent(to: time, isRelative: true)
        }
    }
}
