import LibraryIndex
import MPDProtocol
import ServerLoop
import UserLibrary

extension Command {
    static let listAll = walking("listall", .uris)
    static let listAllInfo = walking("listallinfo", .blocks)

    /// Lists a directory and everything below it: URIs, or songs with their tags. `/` is the whole library, too.
    private static func walking(_ name: String, _ detail: WalkDetail) -> Command {
        Command(name, .read, 0...1, "[URI]", since: "before 0.12") { arguments in
            let uri = arguments.next() ?? ""
            let path = uri == "/" ? "" : uri
            return .suspending { context, response in
                let mask = context.client.tagMask
                try await response.copy(try await context.server.library.index.walk(path, detail: detail, mask: mask))
            }
        }
    }

    /// Lists the files in a directory. Differs: of the server's folders only songs are known; names are sorted.
    static let listFiles = Command("listfiles", .read, 0...1, "[URI]", since: "0.19") { arguments in
        let uri = arguments.next() ?? ""
        return .suspending { context, response in
            let server = context.server
            let path: String
            switch try LocatedURI(uri, for: .storage, in: context, allowsEmpty: true) {
            case .relative(let inside): path = inside
            case .absolute: throw AckError(.argument, "Unsupported URI scheme")
            case .outside(let folder):
                try await context.allowOutside(
                    folder, orElse: AckError(.system, "Failed to open \(folder): No such file or directory"))
                guard let entries = try await server.parts.outsideFiles?.contents(folder: folder) else {
                    throw AckError(.system, "Failed to open \(folder): Not a directory")
                }
                try await response.folderEntries(entries)
                return
            }
            // With mounts, the root of the library is more than its folder.
            if !path.isEmpty || server.mounts.isEmpty, let folder = server.localFolders.file(at: path),
                let files = server.parts.outsideFiles
            {
                guard let entries = try await files.contents(folder: folder) else {
                    let isSong = try await server.library.index.kind(of: path) == .song
                    throw AckError.notOpened(path, isSong ? "Not a directory" : "No such file or directory")
                }
                try await response.folderEntries(entries)
                return
            }
            do {
                try await response.copy(try await context.server.library.index.listFolder(path))
            } catch let error as LibraryError where error.code == .noSuchDirectory || error.code == .noSuchSong {
                throw AckError.notOpened(path, "No such file or directory")
            }
        }
    }

    /// Lists what is in a directory, or the one song; at the root also stored playlists.
    static let lsInfo = Command("lsinfo", .read, 0...1, "[URI]", since: "before 0.12") { arguments in
        let argument = arguments.next() ?? ""
        let uri = argument == "/" ? "" : argument
        return .suspending { context, response in
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

    static let rescan = updating("rescan", rescan: true, since: "0.16")
    static let update = updating("update", rescan: false, since: "before 0.12")

    /// Reads what has changed in the sources; `rescan` also reads what seems unchanged. The path need not exist.
    private static func updating(_ name: String, rescan: Bool, since version: String) -> Command {
        Command(name, .control, 0...1, "[URI]", since: version) { arguments in
            let argument = arguments.next() ?? ""
            let path = argument == "/" ? "" : argument
            guard path.isEmpty || path.isSafePath else { throw AckError(.argument, "Malformed path") }
            return .immediate { context, response in
                guard let job = context.server.parts.updating.startUpdate(uri: path, rescan: rescan) else {
                    throw AckError(.updateAlready, "Update queue is full")
                }
                response.line("updating_db: ", job)
            }
        }
    }
}

extension ResponseWriter {
    fileprivate mutating func folderEntries(_ entries: [FolderEntry]) async throws {
        for entry in entries {
            line(entry.size == nil ? "directory: " : "file: ", entry.name)
            if let size = entry.size { line("size: ", size) }
            line("Last-Modified: ", unixTime: entry.modified)
            try await flushIfFull()
        }
    }
}

extension AckError {
    fileprivate static func notOpened(_ path: String, _ reason: String) -> AckError {
        AckError(.system, "Failed to open \(path.quoted): \(reason)")
    }
}
