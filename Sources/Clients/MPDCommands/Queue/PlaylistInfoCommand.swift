import MPDProtocol
import Playback
import ServerLoop

/// Shows entries of the queue.
///
/// - Wire: `playlistinfo [SONGPOS|START:END]` → songs with `Pos`, `Id` and, if not 0, `Prio`.
/// - Errors: ACK 2 for a malformed range or a start beyond the length.
/// - Source: MPD v0.24.13 src/PlaylistPrint.cxx `playlist_print_info`.
struct PlaylistInfoCommand: Command {
    static let name: StaticString = "playlistinfo"
    static let permission = Permission.read
    static let argumentCount = 0...1
    static let usage: StaticString = "[SONGPOS|START:END]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let range: ArgumentRange

    init(parsing arguments: inout Arguments) throws(AckError) {
        range = arguments.isEmpty ? .everything : try arguments.range()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let positions = try range.positions(in: context.player)
        try await response.queueEntries(context.player.entries, at: positions, in: context)
    }
}
