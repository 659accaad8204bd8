import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Plays the entry with an id from a time on.
///
/// - Wire: `seekid {SONGID} {TIME}` → `OK`. Stays paused when paused, starts when stopped.
/// - Units: seconds, with a fraction.
/// - Errors: ACK 2 for bad numbers, 50 for an id that isn't there.
/// - Source: MPD v0.24.13 src/queue/PlaylistControl.cxx `SeekSongId`.
struct SeekIDCommand: ImmediateCommand {
    static let name: StaticString = "seekid"
    static let permission = Permission.player
    static let argumentCount = 2...2
    static let usage: StaticString = "{SONGID} {TIME}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let id: QueueEntryID
    private let time: Duration

    init(parsing arguments: inout Arguments) throws(AckError) {
        id = try arguments.entryID()
        time = try arguments.time()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        try context.player.seek(id: id, to: time)
    }
}
