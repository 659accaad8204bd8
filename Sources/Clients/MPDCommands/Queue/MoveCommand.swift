import MPDProtocol
import Playback
import ServerLoop

/// Moves entries to another place in the queue.
///
/// - Wire: `move {FROM|START:END} {TO}` → `OK`; `+N` and `-N` count from the current song.
/// - Errors: ACK 2 for an open end, an empty range, positions that aren't there; 55 for a relative place without a
///   current song.
/// - Source: MPD v0.24.13 src/command/QueueCommands.cxx `handle_move`, src/command/PositionArg.cxx.
struct MoveCommand: Command {
    static let name: StaticString = "move"
    static let permission = Permission.player
    static let argumentCount = 2...2
    static let usage: StaticString = "{FROM|START:END} {TO}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let range: ArgumentRange
    private let destination: ArgumentPosition

    init(parsing arguments: inout Arguments) throws(AckError) {
        range = try arguments.range()
        guard !range.isOpenEnded else { throw AckError(.argument, "Open-ended range not supported") }
        destination = try arguments.position()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let positions = range.start..<(range.end ?? context.player.count)
        let target = try destination.destination(of: positions, in: context.player)
        guard try context.checkMove(of: positions, to: target) else { return }
        try await context.player.edit(.entries(positions.count)) { try $0.move(positions, to: .absolute(target)) }
    }
}
