import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

/// Lists the names that stickers have, with what they stick to.
///
/// - Wire: `stickernamestypes [TYPE]` → `name: NAME` and `type: TYPE` for each pair.
/// - Shape: the tags' names in exactly the letters that they are written in.
/// - Errors: ACK 2 for an unknown type or a tag that has no stickers.
/// - Source: MPD v0.24.13 src/command/StickerCommands.cxx `handle_sticker_names_types`.
struct StickerNamesTypesCommand: Command {
    static let name: StaticString = "stickernamestypes"
    static let permission = Permission.admin
    static let argumentCount = 0...1
    static let usage: StaticString = "[TYPE]"
    static let origin = CommandOrigin.mpd(since: "0.24")

    private let type: String?

    init(parsing arguments: inout Arguments) throws(AckError) {
        type = arguments.next()
        guard let type, !["song", "playlist", "filter"].contains(type) else { return }
        guard let tag = Tag.allCases.first(where: { "\($0.wireName)" == type }) else {
            throw AckError(.argument, "no such tag \(type.quoted)")
        }
        guard StickerSubject.tags.contains(tag) else {
            throw AckError(.argument, "unsupported tag \(type.quoted)")
        }
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        for entry in try await context.server.library.stickerNames() where type == nil || entry.type == type {
            response.line("name: ", entry.name)
            response.line("type: ", entry.type)
        }
    }
}
