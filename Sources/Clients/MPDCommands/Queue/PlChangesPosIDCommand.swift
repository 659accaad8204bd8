import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Shows positions and ids of the entries that changed after a version of the queue.
///
/// - Wire: `plchangesposid {VERSION} [START:END]` → `cpos: POS` and `Id: ID` for each.
/// - Errors: ACK 2 for bad numbers.
/// - Source: MPD v0.24.13 src/PlaylistPrint.cxx `playlist_print_changes_position`.
struct PlChangesPosIDCommand: Command {
    static let name: StaticString = "plchangesposid"
    static let permission = Permission.read
    static let argumentCount = 1...2
    static let usage: StaticString = "{VERSION} [START:END]"
    static let origin = CommandOrigin.mpd(since: "0.12")

    private let version: UInt32
    private let range: ArgumentRange

    init(parsing arguments: inout Arguments) throws(AckError) {
        version = try arguments.version()
        range = arguments.isEmpty ? .everything : try arguments.range()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let entries = context.player.entries
        let window = range.clipped(to: entries.count) ?? 0..<0
        for position in await context.player.changes(since: version, in: window) {
            response.line("cpos: ", position)
            response.line("Id: ", entries.id(at: position).rawValue)
            // Awaiting costs more than the two lines, so only where there is something to hand on.
            if response.isFull { try await response.flush() }
        }
    }
}
