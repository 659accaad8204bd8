import MPDProtocol
import ServerLoop

/// Counts songs and their playing time, every letter as it is.
///
/// - Wire: `count {FILTER} [group {TAG}]` → `songs: N`, `playtime: SECONDS`; with a group for each of its values.
/// - Errors: ACK 2 for a bad filter or group, 50 for a `base` that isn't there.
/// - Source: MPD v0.24.13 src/command/DatabaseCommands.cxx `handle_count`.
struct CountCommand: Command {
    static let name: StaticString = "count"
    static let permission = Permission.read
    static let argumentCount = 1...Int.max
    static let usage: StaticString = "{FILTER} [group {TAG}]"
    static let origin = CommandOrigin.mpd(since: "0.13")

    private let counts: GroupedCounts

    init(parsing arguments: inout Arguments) throws(AckError) {
        counts = try GroupedCounts(parsing: &arguments, foldsCase: false)
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try await counts.write(to: &response, in: context)
    }
}
