import Library
import MPDProtocol
import ServerLoop

/// Lists the files in a directory.
///
/// - Wire: `listfiles [URI]` → `file` with `size`, `directory`, `Last-Modified`; names without the directory.
/// - Errors: ACK 52 for a directory that isn't there, 2 for a malformed path or a scheme, 4 for a file path over TCP.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_listfiles`. Differs: files that are no songs aren't known.
struct ListFilesCommand: Command {
    static let name: StaticString = "listfiles"
    static let permission = Permission.read
    static let argumentCount = 0...1
    static let usage: StaticString = "[URI]"

    private let uri: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        uri = arguments.next() ?? ""
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        guard case .relative(let path) = try LocatedURI(uri, for: .storage, in: context, allowsEmpty: true) else {
            throw AckError(.argument, "Unsupported URI scheme")
        }
        do {
            try await response.copy(try await context.server.library.listFolder(path))
        } catch let error as LibraryError where error.code == .noSuchDirectory || error.code == .noSuchSong {
            throw AckError(.system, "Failed to open \"\(path)\": No such file or directory")
        }
    }
}
