import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Shows the entry with an id, or all of them.
///
/// - Wire: `playlistid [SONGID]` → songs with `Pos` and `Id`.
/// - Errors: ACK 50 for an id that isn't there.
/// - Source: MPD v0.24.13 src/PlaylistPrint.cxx `playlist_print_id`.
struct PlaylistIDCommand: Command {
    static let name: StaticString = "playlistid"
    static let permission = Permission.read
    static let argumentCount = 0...1
    static let usage: StaticString = "[SONGID]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let id: QueueEntryID?

    init(parsing arguments: inout Arguments) throws(AckError) {
        id = arguments.isEmpty ? nil : try arguments.entryID()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let player = context.player
        var positions = 0..<player.count
        if let id {
            guard let position = player.position(of: id) else { throw AckError(.noExist, "No such song") }
            positions = position..<position + 1
        }
        try await response.queueEntries(player.entries, at: positions, in: context)
    }
}
