import MPDProtocol
import Playback
import ServerLoop

/// Shows the current song, playing or not; nothing when there is none.
///
/// - Wire: `currentsong` → a song's block with `Pos` and `Id`.
/// - Source: MPD v0.24.13 src/PlaylistPrint.cxx `playlist_print_current`.
struct CurrentSongCommand: Command {
    static let name: StaticString = "currentsong"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        guard let position = context.player.current?.position else { return }
        let entries = context.player.entries
        try await response.queueEntries(entries, at: position..<position + 1, in: context)
    }
}
