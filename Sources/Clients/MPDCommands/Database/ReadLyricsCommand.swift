import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

/// Sends a part of a song's words.
///
/// - Wire: `readlyrics {URI} [OFFSET]` → `size: TOTAL`, `type: text/x-lrc` or `text/plain`, `binary: N`, N bytes of
///   UTF-8; `binary: 0` at the very end, and nothing at all without words. Without OFFSET it is 0.
/// - Shape: like `readpicture`; words with times are LRC: `[01:02.34]words`, a line feed behind each line.
/// - Errors: ACK 50 for what isn't a song, 2 for an offset beyond the end or a malformed path, 4 for a file path over
///   TCP.
/// - Source: none; MPD has no such command.
struct ReadLyricsCommand: Command {
    static let name: StaticString = "readlyrics"
    static let permission = Permission.read
    static let argumentCount = 1...2
    static let usage: StaticString = "{URI} [OFFSET]"
    static let origin = CommandOrigin.segue

    static func isAvailable(in server: ServerContext) -> Bool { server.lyrics != nil }

    private let uri: String
    private let offset: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        uri = try arguments.string()
        offset = arguments.isEmpty ? 0 : try arguments.unsigned()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        guard case .relative(let path) = try LocatedURI(uri, for: .input, in: context) else { return }
        try await response.picture(
            key: "readlyrics \(path)", offset: offset, showsType: true, missing: nil,
            tooFar: AckError(.argument, "Bad file offset"), in: context
        ) {
            guard try await context.server.library.index.kind(of: path) == .song else {
                throw AckError(.noExist, "No such song")
            }
            guard let lyrics = await context.server.lyrics?.lyrics(of: path, isUrgent: false) else { return nil }
            return (Array(lyrics.text.utf8), lyrics.isSynced ? "text/x-lrc" : "text/plain", nil)
        }
    }
}
