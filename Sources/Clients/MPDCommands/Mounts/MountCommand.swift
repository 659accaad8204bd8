import Foundation
import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

/// Adds a folder of music to the library, of this machine or of another one.
///
/// - Wire: `mount {PATH} {URI}` → `OK`; the folder is scanned afterwards.
/// - Shape: PATH is a name at the top of the library. URI is the folder's absolute path, a `file://` URI of it, or the
///   address of a network storage (`smb`, `nfs`, `dav`, `davs`, `sftp`; `http` and `https` mean WebDAV).
///   The answer waits for the storage, half a minute at most.
/// - Errors: ACK 2 for a bad or busy name, for what is mounted already, for URIs that name no folder of music, and for
///   schemes that this machine can't mount; 4 for clients on the network and a folder that isn't below one of
///   `mount_roots`; 50 for a folder that the other machine doesn't have; 52 for one that can't be read or mounted.
/// - Source: MPD v0.24.13 src/command/StorageCommands.cxx `handle_mount`. Differs: MPD mounts no local folders, and
///   answers before the storage does.
struct MountCommand: Command {
    static let name: StaticString = "mount"
    static let permission = Permission.admin
    static let argumentCount = 2...2
    static let usage: StaticString = "{PATH} {URI}"
    static let origin = CommandOrigin.mpd(since: "0.19")

    static func isAvailable(in server: ServerContext) -> Bool { server.mounting != nil }

    private let mount: String
    private let uri: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        mount = try arguments.string()
        uri = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let server = context.server
        guard !mount.isEmpty, !mount.hasSlash, mount != ".", mount != ".." else {
            throw AckError(.argument, "Bad mount point")
        }
        try requireFreeName(in: server)
        if let folder = Self.folder(of: uri), let mounting = server.mounting {
            try await mountFolder(folder, through: mounting, in: context)
        } else if let storages = server.storages, let storage = storages.storage(at: uri),
            let mounting = server.mounting
        {
            try await mountStorage(storage, of: storages, through: mounting, in: server)
        } else {
            throw AckError(.argument, Self.isFTP(uri) ? Self.unreadable : "Unrecognized storage URI")
        }
        server.notify(.mount, nil)
        // The mount has to be read in any case: where other paths take all the room, with everything else.
        if server.updating.startUpdate(uri: mount, rescan: false) == nil {
            _ = server.updating.startUpdate(uri: "", rescan: false)
        }
    }

    @ServerActor
    private func requireFreeName(in server: ServerContext) throws(AckError) {
        guard !server.mounts.contains(where: { $0.path == mount }) else {
            throw AckError(.argument, "Mount point busy")
        }
    }

    @ServerActor
    private func requireNewPath(in server: ServerContext) async throws {
        guard try await server.library.index.kind(of: mount) == nil else { throw AckError(.argument, "Already exists") }
    }

    @ServerActor
    private func mountFolder(
        _ folder: String, through mounting: any LibraryMounting, in context: CommandContext
    ) async throws {
        let server = context.server
        guard !server.mounts.contains(where: { $0.storage == folder }), folder != server.musicDirectory else {
            throw AckError(.argument, "This storage is already mounted")
        }
        if let refusal = await mounting.refusal(of: folder, isLocal: context.client.isOwners) {
            throw Self.error(refusal, folder)
        }
        try await requireNewPath(in: server)
        try await keep(ShownMount(mount, of: folder), of: nil, through: mounting, in: server)
    }

    @ServerActor
    private func mountStorage(
        _ storage: NetworkStorage, of storages: any StorageMounting, through mounting: any LibraryMounting,
        in server: ServerContext
    ) async throws {
        guard !server.mounts.contains(where: { $0.storage == storage.shown }) else {
            throw Self.error(.mountedAlready)
        }
        try await requireNewPath(in: server)
        do { try await storages.attach(storage, at: mount) } catch {
            throw (error as? StorageFailure).map { Self.error($0) } ?? error
        }
        do {
            let shown = ShownMount(mount, of: storage.shown, in: storage.folder)
            try await keep(shown, of: storage, through: mounting, in: server)
        } catch {
            await storages.detach(mount)
            throw error
        }
    }

    /// Shows the mount and keeps it; another client may have taken the name while this one waited.
    @ServerActor
    private func keep(
        _ shown: ShownMount, of storage: NetworkStorage?, through mounting: any LibraryMounting,
        in server: ServerContext
    ) async throws {
        try requireFreeName(in: server)
        server.add(shown)
        do {
            try await mounting.mount(shown.folder ?? shown.storage, at: mount, of: storage)
        } catch {
            server.removeMount(mount)
            throw error
        }
    }

    /// The path that a URI names; nil if it isn't a local folder's.
    private static func folder(of uri: String) -> String? {
        var path = uri
        if uri.prefix(7).lowercased() == "file://" {
            guard let decoded = FileNames.inUse.path(escaped: uri.dropFirst(7)) else { return nil }
            path = decoded
        }
        guard path.isAbsolutePath else { return nil }
        path = String(path.withoutLastSlashes)
        return path
    }

    private static func isFTP(_ uri: String) -> Bool {
        let scheme = uri.prefix { $0 != ":" }.lowercased()
        return scheme == "ftp" || scheme == "ftps"
    }

    /// GVfs reads files of FTP's from their beginning to their end alone, and sound is also read elsewhere.
    private static let unreadable = "No music can be played from FTP storages; use sftp, dav, nfs or smb"

    private static func error(_ refusal: MountRefusal, _ folder: String) -> AckError {
        switch refusal {
        case .system(let code):
            AckError(.system, "Failed to access \(folder): \(String(cString: strerror(code)))")
        case .outsideOfRoots:
            AckError(
                .permission,
                "Only folders below mount_roots can be mounted; add one, or use the Unix socket as its user")
        case .noFolderOfMusic: AckError(.argument, "\(folder) is no folder of music")
        }
    }

    private static func error(_ failure: StorageFailure) -> AckError {
        let code: AckError.Code =
            switch failure {
            case .nameTaken, .mountedAlready, .noBackend, .noSession: .argument
            case .notFound: .noExist
            default: .system
            }
        return AckError(code, failure.description)
    }
}
