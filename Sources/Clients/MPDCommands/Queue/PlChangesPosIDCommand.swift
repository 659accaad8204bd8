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
        let positions = await context.player.changes(since: version, in: window)
        guard positions.count > Self.batch else {
            for position in positions {
                response.line("cpos: ", position)
                response.line("Id: ", entries.id(at: position).rawValue)
            }
            return
        }
        for start in stride(from: 0, to: positions.count, by: Self.batch) {
            let part = positions[start..<min(start + Self.batch, positions.count)]
            for (position, id) in zip(part, await Self.ids(of: part, in: entries)) {
                response.line("cpos: ", position)
                response.line("Id: ", id.rawValue)
            }
            try await response.flushIfFull()
        }
    }

    /// So many entries are looked up on the event loop, or at a time beside it.
    private static let batch = 1_000

    @concurrent
    private static func ids(of positions: ArraySlice<Int>, in entries: QueueEntries) async -> [QueueEntryID] {
        positions.map { entries.id(at: $0) }
    }
}
