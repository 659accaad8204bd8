import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Removes the entry with an id from the queue.
///
/// - Wire: `deleteid {SONGID}` → `OK`.
/// - Errors: ACK 50 for an id that isn't there.
/// - Source: MPD v0.24.13 src/queue/PlaylistEdit.cxx `DeleteId`.
struct DeleteIDCommand: Command {
    static let name: StaticString = "deleteid"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{SONGID}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let id: QueueEntryID

    init(parsing arguments: inout Arguments) throws(AckError) {
        id = try arguments.entryID()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try await context.player.edit { try $0.delete(id: id) }
    }
}
