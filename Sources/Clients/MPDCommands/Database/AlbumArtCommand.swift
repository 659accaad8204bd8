import LibraryIndex
import MPDProtocol
import ServerLoop
import UserLibrary
import MusicModel

/// Sends a part of the cover of a song's folder.
///
/// - Wire: `albumart {URI} {OFFSET}` → `file: PATH` where the cover is a file of a music folder, as from MPD 0.25 on,
///   `size: TOTAL`, `binary: N`, N bytes; `binary: 0` at the very end.
/// - Shape: the song need not be there, only its folder counts; a folder's own URI is taken too, also with the slash
///   behind it that Cantata sends.
/// - Errors: ACK 50 without a cover, 2 for an offset beyond it or a malformed path, 4 for a file path over TCP.
/// - Source: MPD v0.24.13 src/command/FileCommands.cxx `handle_album_art`, `read_stream_art`.
struct AlbumArtCommand: Command {
    static let name: StaticString = "albumart"
    static let permission = Permission.read
    static let argumentCount = 2...2
    static let usage: StaticString = "{URI} {OFFSET}"
    static let origin = CommandOrigin.mpd(since: "0.21")

    private let uri: String
    private let offset: Int

    init(parsing arguments: inout Arguments) throws(AckError) {
        uri = try arguments.string()
        offset = try arguments.unsigned()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let isFolder = uri.utf8.count > 1 && uri.utf8.last == UInt8(ascii: "/") && !LocatedURI.hasScheme(uri)
        let missing = AckError(.noExist, "No file exists")
        let located = try LocatedURI(isFolder ? String(uri.dropLast()) : uri, for: .input, in: context)
        guard case .relative(let path) = located else { throw missing }
        try await response.picture(
            key: "albumart \(path)", offset: offset, showsType: false, missing: missing,
            tooFar: AckError(.argument, "Offset too large"), in: context
        ) {
            guard var found = try await Self.cover(of: path, isFolder: isFolder, in: context) else { return nil }
            found.file = found.file.flatMap { context.server.path(ofFile: $0) }
            return found
        }
    }

    @ServerActor
    private static func cover(
        of path: String, isFolder: Bool, in context: CommandContext
    ) async throws -> FoundCover? {
        let pictures = context.server.pictures
        let kind = try await context.server.library.index.kind(of: path)
        let parent = String(path.pathFolder)
        let folders = isFolder ? [path] : kind == .directory ? [path, parent] : [parent]
        for folder in folders {
            guard let place = context.server.file(at: folder) else { continue }
            if let found = try await pictures.cover(inFolder: place) { return found }
        }
        if let found = try await pictures.albumArt(for: path) { return found }
        return kind == nil && !parent.isEmpty ? try await pictures.albumArt(for: parent) : nil
    }
}
