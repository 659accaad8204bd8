import MPDProtocol
import Playback
import ServerLoop

/// Shows the entries that changed after a version of the queue.
///
/// - Wire: `plchanges {VERSION} [START:END]` → songs with `Pos` and `Id`; everything for a version that is yet to come.
/// - Errors: ACK 2 for bad numbers.
/// - Source: MPD v0.24.13 src/PlaylistPrint.cxx `playlist_print_changes_info`.
struct PlChangesCommand: Command {
    static let name: StaticString = "plchanges"
    static let permission = Permission.read
    static let argumentCount = 1...2
    static let usage: StaticString = "{VERSION} [START:END]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let version: UInt32
    private let range: ArgumentRange

    init(parsing arguments: inout Arguments) throws(AckError) {
        version = try arguments.version()
        range = arguments.isEmpty ? .everything : try arguments.range()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let entries = context.player.entries
        let window = range.clipped(to: entries.count) ?? 0..<0
        let changed = await context.player.changes(since: version, in: window)
        try await response.queueEntries(entries, at: changed, in: context)
    }
}
