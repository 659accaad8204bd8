import MPDProtocol
import Playback
import ServerLoop

/// Shuffles the queue or a part of it.
///
/// - Wire: `shuffle [START:END]` → `OK`; a playing song in the range becomes its first.
/// - Errors: ACK 2 for a malformed range or a start beyond the length.
/// - Source: MPD v0.24.13 src/queue/PlaylistEdit.cxx `Shuffle`.
struct ShuffleCommand: QueueEditCommand {
    static let name: StaticString = "shuffle"
    static let permission = Permission.player
    static let argumentCount = 0...1
    static let usage: StaticString = "[START:END]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let range: ArgumentRange

    init(parsing arguments: inout Arguments) throws(AckError) {
        range = arguments.isEmpty ? .everything : try arguments.range()
    }

    func edit(in context: CommandContext) throws -> QueueEdit? {
        let positions = try range.positions(in: context.player)
        return positions.count < 2 ? nil : .shuffle(positions)
    }
}
