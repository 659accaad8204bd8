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
            return entries.forEachID(at: positions[...]) { response.change($0, $1) }
        }
        for start in stride(from: 0, to: positions.count, by: Self.batch) {
            let part = positions[start..<min(start + Self.batch, positions.count)]
            response.bytes(await Self.lines(of: part, in: entries))
            try await response.flushIfFull()
        }
    }

    /// The lines of so many entries are written on the event loop, or at a time beside it: about as many as are handed
    /// on at once.
    private static let batch = 2_500

    @concurrent
    private static func lines(of positions: ArraySlice<Int>, in entries: QueueEntries) async -> [UInt8] {
        var lines = ResponseWriter(sink: DiscardingSink.shared)
        entries.forEachID(at: positions) { lines.change($0, $1) }
        return lines.collected
    }
}

extension ResponseWriter {
    fileprivate mutating func change(_ position: Int, _ id: QueueEntryID) {
        line("cpos: ", position)
        line("Id: ", id.rawValue)
    }
}
