import MPDProtocol
import Playback
import ServerLoop

/// Removes entries from the queue.
///
/// - Wire: `delete {POS|START:END}` → `OK`; -1 is everything, a too large end is clipped.
/// - Errors: ACK 2 for a malformed range or a start beyond the length.
/// - Source: MPD v0.24.13 src/queue/PlaylistEdit.cxx `DeleteRange`.
struct DeleteCommand: Command {
    static let name: StaticString = "delete"
    static let permission = Permission.player
    static let argumentCount = 1...1
    static let usage: StaticString = "{POS|START:END}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let range: ArgumentRange

    init(parsing arguments: inout Arguments) throws(AckError) {
        range = try arguments.range()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let positions = try range.positions(in: context.player)
        if !positions.isEmpty { try await context.player.edit(.entries(positions.count)) { try $0.delete(positions) } }
    }
}
