import MPDProtocol
import MusicModel
import ServerLoop

/// Lists what stickers can stick to.
///
/// - Wire: `stickertypes` → `stickertype: TYPE` lines: the three kinds, then the tags that the client wants to see.
/// - Source: MPD v0.24.13 src/command/StickerCommands.cxx `handle_sticker_types`.
struct StickerTypesCommand: Command {
    static let name: StaticString = "stickertypes"
    static let permission = Permission.admin
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.24")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        for kind in ["filter", "playlist", "song"] { response.line("stickertype: ", kind) }
        let mask = context.client.tagMask
        for tag in Tag.allCases where StickerSubject.tags.contains(tag) && mask.contains(tag) {
            response.line("stickertype: ", "\(tag.wireName)")
        }
    }
}
