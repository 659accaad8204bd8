import LibraryIndex
import MPDProtocol
import ServerLoop
import UserLibrary

/// Sends a part of a song's own picture.
///
/// - Wire: `readpicture {URI} {OFFSET}` → `size: TOTAL`, `type: MIME` if known, `binary: N`, N bytes; `binary: 0` at
///   the very end, and nothing at all without a picture.
/// - Errors: ACK 50 for what isn't a song, 2 for an offset beyond the end or a malformed path, 4 for a file path over
///   TCP.
/// - Source: MPD v0.24.13 src/command/FileCommands.cxx `handle_read_picture`.
struct ReadPictureCommand: Command {
    static let name: StaticString = "readpicture"
    static let permission = Permission.read
    static let argumentCount = 2...2
    static let usage: StaticString = "{URI} {OFFSET}"
    static let origin = CommandOrigin.mpd(since: "0.22")

    private let uri: String
    private let offset: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        uri = try arguments.string()
        offset = try arguments.unsigned()
    }

    /// Pictures are kept for a moment, those of outside files for the user who may see them.
    @ServerActor
    private static func key(_ located: LocatedURI, in context: CommandContext) -> String {
        guard case .outside = located else { return "readpicture \(located)" }
        return "readpicture \(located) \(context.client.localUser.map(String.init) ?? "")"
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let located = try LocatedURI(uri, for: .input, in: context)
        if case .absolute = located { return }
        try await response.picture(
            key: Self.key(located, in: context), offset: offset, showsType: true, missing: nil,
            tooFar: AckError(.argument, "Bad file offset"), in: context
        ) {
            if case .outside(let file) = located {
                return try await context.outsidePicture(file).map { ($0.bytes, $0.mimeType, nil) }
            }
            guard case .relative(let path) = located else { return nil }
            guard try await context.server.library.index.kind(of: path) == .song else {
                throw AckError(.noExist, "No such song")
            }
            return try await context.server.pictures.picture(of: path).map { ($0.bytes, $0.mimeType, nil) }
        }
    }
}
