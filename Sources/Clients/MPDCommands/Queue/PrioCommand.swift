import MPDProtocol
import Playback
import ServerLoop

/// Sets the priority of entries, by which random order prefers them.
///
/// - Wire: `prio {PRIORITY} {POS|START:END...}` → `OK`; 0 to 255.
/// - Errors: ACK 2 for bad numbers or a start beyond the length; ranges before that one keep the new priority.
/// - Source: MPD v0.24.13 src/command/QueueCommands.cxx `handle_prio`.
struct PrioCommand: Command {
    static let name: StaticString = "prio"
    static let permission = Permission.player
    static let argumentCount = 2...Int.max
    static let usage: StaticString = "{PRIORITY} {START:END...}"
    static let origin = CommandOrigin.mpd(since: "0.17")

    private let priority: Int
    private let ranges: [ArgumentRange]

    init(parsing arguments: inout Arguments) throws(AckError) {
        priority = try arguments.unsigned(maximum: 255)
        var ranges: [ArgumentRange] = []
        while !arguments.isEmpty { ranges.append(try arguments.range()) }
        self.ranges = ranges
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        for range in ranges {
            let positions = try range.positions(in: context.player)
            guard !positions.isEmpty else { continue }
            try await context.player.edit(.entries(positions.count)) { try $0.setPriority(priority, range: positions) }
        }
    }
}
