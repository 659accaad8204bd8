import LibraryIndex
import MPDProtocol
import ServerLoop
import UserLibrary

/// Lists the files in a directory.
///
/// - Wire: `listfiles [URI]` → `file` with `size`, `directory`, `Last-Modified`; names without the directory.
/// - Errors: ACK 52 for a directory that isn't there, 2 for a malformed path or a scheme, 4 for a file path over TCP.
/// - Source: MPD v0.24.13 src/command/OtherCommands.cxx `handle_listfiles`. Differs: of the server's folders only songs
///   are known; names are sorted.
struct ListFilesCommand: Command {
    static let name: StaticString = "listfiles"
    static let permission = Permission.read
    static let argumentCount = 0...1
    static let usage: StaticString = "[URI]"
    static let origin = CommandOrigin.mpd(since: "0.19")

    private let uri: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        uri = arguments.next() ?? ""
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let server = context.server
        let path: String
        switch try LocatedURI(uri, for: .storage, in: context, allowsEmpty: true) {
        case .relative(let inside): path = inside
        case .absolute: throw AckError(.argument, "Unsupported URI scheme")
        case .outside(let folder):
            try await context.allowOutside(
                folder, orElse: AckError(.system, "Failed to open \(folder): No such file or directory"))
            guard let entries = try await server.outsideFiles?.contents(folder: folder) else {
                throw AckError(.system, "Failed to open \(folder): Not a directory")
            }
            try await response.folderEntries(entries)
            return
        }
        // With mounts beside it the folder at the root is not all there is.
        if !path.isEmpty || server.mounts.isEmpty, let folder = server.file(at: path), let files = server.outsideFiles {
            guard let entries = try await files.contents(folder: folder) else {
                let isSong = try await server.library.index.kind(of: path) == .song
                throw Self.failure(path, isSong ? "Not a directory" : "No such file or directory")
            }
            try await response.folderEntries(entries)
            return
        }
        do {
            try await response.copy(try await context.server.library.index.listFolder(path))
        } catch let error as LibraryError where error.code == .noSuchDirectory || error.code == .noSuchSong {
            throw Self.failure(path, "No such file or directory")
        }
    }

    private static func failure(_ path: String, _ reason: String) -> AckError {
        AckError(.system, "Failed to open \(path.quoted): \(reason)")
    }
}

extension ResponseWriter {
    /// Appends the contents of a folder, as fast as the client takes them.
    fileprivate mutating func folderEntries(_ entries: [FolderEntry]) async throws {
        for (place, entry) in entries.enumerated() {
            folderEntry(entry)
            if place % 512 == 511 { try await flushIfFull() }
        }
    }

    /// Appends a file or a folder of a folder.
    fileprivate mutating func folderEntry(_ entry: FolderEntry) {
        if let size = entry.size {
            line("file: ", entry.name)
            line("size: ", size)
        } else {
            line("directory: ", entry.name)
        }
        line("Last-Modified: ", unixTime: entry.modified)
    }
}
