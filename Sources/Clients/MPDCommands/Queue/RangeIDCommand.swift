import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Sets the part of its song that an entry of the queue plays.
///
/// - Wire: `rangeid {ID} {START:END}` → `OK`; `:` is the whole song.
/// - Units: seconds of the song, fractions allowed; both may be left out.
/// - Errors: ACK 2 for a bad range and for a start behind the song's end, 50 for an id that isn't there, 4 for the
///   current song while it plays or pauses.
/// - Source: MPD v0.24.13 src/command/QueueCommands.cxx `handle_rangeid`, src/queue/PlaylistEdit.cxx.
struct RangeIDCommand: Command {
    static let name: StaticString = "rangeid"
    static let permission = Permission.add
    static let argumentCount = 2...2
    static let usage: StaticString = "{ID} {START:END}"
    static let origin = CommandOrigin.mpd(since: "0.19")

    private let id: QueueEntryID
    private let range: (start: Duration, end: Duration?)

    init(parsing arguments: inout Arguments) throws(AckError) {
        id = try arguments.entryID()
        range = try arguments.timeRange()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) throws {
        try context.player.editAtOnce { try $0.setRange(id: id, start: range.start, end: range.end) }
    }
}
