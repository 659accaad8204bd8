import MPDProtocol
import Playback
import ServerLoop

/// Exchanges two entries of the queue.
///
/// - Wire: `swap {SONG1} {SONG2}` → `OK`; positions.
/// - Errors: ACK 2 for a position that isn't there.
/// - Source: MPD v0.24.13 src/queue/PlaylistEdit.cxx `SwapPositions`.
struct SwapCommand: Command {
    static let name: StaticString = "swap"
    static let permission = Permission.player
    static let argumentCount = 2...2
    static let usage: StaticString = "{SONG1} {SONG2}"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let first: Int
    private let second: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        first = try arguments.unsigned()
        second = try arguments.unsigned()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try await context.player.edit { try $0.swap(first, second) }
    }
}
