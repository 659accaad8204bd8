import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Exchanges two entries of the queue.
///
/// - Wire: `swapid {SONG1} {SONG2}` → `OK`; ids.
/// - Errors: ACK 50 for an id that isn't there.
/// - Source: MPD v0.24.13 src/queue/PlaylistEdit.cxx `SwapIds`.
struct SwapIDCommand: Command {
    static let name: StaticString = "swapid"
    static let permission = Permission.player
    static let argumentCount = 2...2
    static let usage: StaticString = "{SONG1} {SONG2}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let first: QueueEntryID
    private let second: QueueEntryID

    init(parsing arguments: inout Arguments) throws(AckError) {
        first = try arguments.entryID()
        second = try arguments.entryID()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try await context.player.edit { try $0.swap(id: first, second) }
    }
}
