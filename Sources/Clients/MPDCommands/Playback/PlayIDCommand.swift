import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Plays the entry with an id, or goes on.
///
/// - Wire: `playid [SONGID]` → `OK`; -1 is as good as none.
/// - Errors: ACK 50 for an id that isn't there.
/// - Source: MPD v0.24.13 src/queue/PlaylistControl.cxx `PlayId`.
struct PlayIDCommand: ImmediateCommand {
    static let name: StaticString = "playid"
    static let permission = Permission.player
    static let argumentCount = 0...1
    static let usage: StaticString = "[SONGID]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let id: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        id = arguments.isEmpty ? -1 : try arguments.integer()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        if id == -1 { return try context.player.play(id: nil) }
        guard let id = UInt32(exactly: id) else { throw AckError(.noExist, "No such song") }
        try context.player.play(id: QueueEntryID(rawValue: id))
    }
}
