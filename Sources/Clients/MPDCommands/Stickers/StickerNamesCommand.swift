import MPDProtocol
import ServerLoop
import UserLibrary

/// Lists the names that stickers have.
///
/// - Wire: `stickernames` → `name: NAME` lines.
/// - Source: MPD v0.24.13 src/command/StickerCommands.cxx `handle_sticker_names`.
struct StickerNamesCommand: Command {
    static let name: StaticString = "stickernames"
    static let permission = Permission.admin
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.24")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        var last: String?
        for entry in try await context.server.library.stickerNames() where entry.name != last {
            response.line("name: ", entry.name)
            last = entry.name
        }
    }
}
