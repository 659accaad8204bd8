import LibraryIndex
import MPDProtocol
import ServerLoop
import UserLibrary

/// Lists what is in a directory; at the root also stored playlists.
///
/// - Wire: `lsinfo [URI]` → `directory` lines, songs, `playlist` lines with `Last-Modified`; or the one song.
/// - Errors: ACK 50 for what isn't there, 2 for a malformed path or an unsupported scheme, 4 for a file path over TCP.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_lsinfo`.
struct LsInfoCommand: Command {
    static let name: StaticString = "lsinfo"
    static let permission = Permission.read
    static let argumentCount = 0...1
    static let usage: StaticString = "[URI]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let uri: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        let uri = arguments.next() ?? ""
        self.uri = uri == "/" ? "" : uri
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let path: String
        switch try LocatedURI(uri, for: .input, in: context, allowsEmpty: true) {
        case .relative(let inside): path = inside
        case .absolute: throw AckError(.noExist, "No such file")
        case .outside(let file):
            return response.song(
                try await context.outsideSong(file, orElse: "No such file"), mask: context.client.tagMask)
        }
        let library = context.server.library
        try await response.copy(try await library.index.listDirectory(path, mask: context.client.tagMask))
        if path.isEmpty, !context.client.protocolFeatures.contains("hide_playlists_in_root") {
            response.storedPlaylists(try await library.storedPlaylists())
        }
    }
}
