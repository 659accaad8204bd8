import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Moves the entry with an id to another place in the queue.
///
/// - Wire: `moveid {FROM} {TO}` → `OK`; `+N` and `-N` count from the current song.
/// - Errors: ACK 50 for an id that isn't there, 2 for a place that isn't, 55 for a relative one without a current song.
/// - Source: MPD v0.24.13 src/command/QueueCommands.cxx `handle_moveid`, src/command/PositionArg.cxx.
struct MoveIDCommand: Command {
    static let name: StaticString = "moveid"
    static let permission = Permission.player
    static let argumentCount = 2...2
    static let usage: StaticString = "{FROM} {TO}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let id: QueueEntryID
    private let destination: ArgumentPosition

    init(parsing arguments: inout Arguments) throws(AckError) {
        id = try arguments.entryID()
        destination = try arguments.position()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let player = context.player
        guard let position = player.position(of: id) else { throw AckError(.noExist, "No such song") }
        let positions = position..<position + 1
        let target = try destination.destination(of: positions, in: player)
        guard try context.checkMove(of: positions, to: target) else { return }
        // By its id: the entry may be at another position by the time a large edit has its turn.
        try await player.edit { try $0.move(id: id, to: .absolute(target)) }
    }
}
