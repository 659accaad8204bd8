import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Sets the priority of entries, by which random order prefers them.
///
/// - Wire: `prioid {PRIORITY} {ID...}` → `OK`; 0 to 255.
/// - Errors: ACK 2 for bad numbers, 50 for an id that isn't there; entries before that one keep the new priority.
/// - Source: MPD v0.24.13 src/command/QueueCommands.cxx `handle_prioid`.
struct PrioIDCommand: Command {
    static let name: StaticString = "prioid"
    static let permission = Permission.player
    static let argumentCount = 2...Int.max
    static let usage: StaticString = "{PRIORITY} {ID...}"
    static let origin = CommandOrigin.mpd(since: "0.17")

    private let priority: Int
    private let ids: [QueueEntryID]

    init(parsing arguments: inout Arguments) throws(AckError) {
        priority = try arguments.unsigned(maximum: 255)
        var ids: [QueueEntryID] = []
        while !arguments.isEmpty { ids.append(try arguments.entryID()) }
        self.ids = ids
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try await context.player.edit(.entries(ids.count)) { try $0.setPriority(priority, ids: ids) }
    }
}
