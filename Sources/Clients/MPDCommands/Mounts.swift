import Foundation
import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

extension Command {
    /// Adds a folder of music to the library, of this machine or of another one; it is scanned afterwards. URI is the
    /// folder's absolute path, a `file://` URI of it, or the address of a network storage (`smb`, `nfs`, `dav`, `davs`,
    /// `sftp`; `http` and `https` mean WebDAV), for which the answer waits, half a minute at most. Differs: MPD mounts
    /// no local folders, and answers before the storage does.
    static let mount = Command(
        "mount", .admin, 2...2, "{PATH} {URI}", since: "0.19", isAvailable: { $0.parts.mounting != nil }
    ) { arguments in
        let mount = try arguments.string()
        let uri = try arguments.string()
        return .suspending { context, _ in
            try await MountRequest(mount: mount, server: context.server, client: context.client).run(uri)
        }
    }

    /// Lists the sources by their places in the tree; a local folder's path only for clients on the Unix socket.
    static let listMounts = immediate("listmounts", .read, since: "0.19") { context, response in
        let mounts = context.server.mounts
        // MPD always has a storage at the root, even when others are mounted into it.
        if !mounts.contains(where: { $0.path.isEmpty }) { response.line("mount: ", "") }
        for mount in mounts {
            response.line("mount: ", mount.path)
            if !mount.storage.isAbsolutePath || context.client.isLocal {
                response.line("storage: ", StreamURL.withoutCredentials(mount.storage))
            }
        }
    }

    /// Refused as by an MPD without a neighbour plug-in; `commands` doesn't list it.
    static let listNeighbors = immediate(
        "listneighbors", .read, since: "0.19", isAvailable: { _ in false }
    ) { _, _ in throw AckError(.unknown, "No neighbor plugin configured") }

    /// Takes a mounted folder out of the library; its songs leave the queues, but for those that are playing. The
    /// volume of a network storage is unmounted afterwards, if it was mounted for this.
    static let unmount = Command(
        "unmount", .admin, 1...1, "{PATH}", since: "0.19", isAvailable: { $0.parts.mounting != nil }
    ) { arguments in
        let mount = try arguments.string()
        return .suspending { context, _ in
            guard !mount.isEmpty else { throw AckError(.argument, "Bad mount point") }
            let server = context.server
            guard server.mounts.contains(where: { $0.path == mount }), let mounting = server.parts.mounting else {
                throw AckError(.argument, "Not a mount point")
            }
            guard try await mounting.unmount(mount) else {
                throw AckError(.argument, "This mount belongs to the configuration")
            }
            server.mounts.removeAll { $0.path == mount }
            await server.parts.storages?.detach(mount)
            server.notify(.mount, nil)
        }
    }
}

@ServerActor
private struct MountRequest {
    let mount: String
    let server: ServerContext
    let client: ClientState

    func run(_ uri: String) async throws {
        guard !mount.isEmpty, !mount.hasSlash, mount != ".", mount != ".." else {
            throw AckError(.argument, "Bad mount point")
        }
        try requireFreeName()
        let mounting = server.parts.mounting
        if let mounting, let folder = Self.folder(of: uri) {
            try await mountFolder(folder, mounting)
        } else if let mounting, let storages = server.parts.storages, let storage = storages.storage(at: uri) {
            try await mountStorage(storage, of: storages, mounting)
        } else {
            throw AckError(.argument, Self.isFTP(uri) ? Self.unreadable : "Unrecognized storage URI")
        }
        server.notify(.mount, nil)
        // The mount has to be read in any case: where other paths take all the room, with everything else.
        if server.parts.updating.startUpdate(uri: mount, rescan: false) == nil {
            _ = server.parts.updating.startUpdate(uri: "", rescan: false)
        }
    }

    private func requireFreeName() throws(AckError) {
        guard !server.mounts.contains(where: { $0.path == mount }) else {
            throw AckError(.argument, "Mount point busy")
        }
    }

    private func requireNewPath() async throws {
        guard try await server.library.index.kind(of: mount) == nil else { throw AckError(.argument, "Already exists") }
    }

    private func mountFolder(_ folder: String, _ mounting: any LibraryMounting) async throws {
        guard !server.mounts.contains(where: { $0.storage == folder }), folder != server.facts.musicDirectory else {
            throw AckError(.argument, "This storage is already mounted")
        }
        if let refusal = await mounting.refusal(of: folder, isLocal: client.isOwners) {
            throw Self.error(refusal, folder)
        }
        try await requireNewPath()
        try await keep(ShownMount(mount, of: folder), of: nil, mounting)
    }

    private func mountStorage(
        _ storage: NetworkStorage, of storages: any StorageMounting, _ mounting: any LibraryMounting
    ) async throws {
        guard !server.mounts.contains(where: { $0.storage == storage.shown }) else { throw Self.error(.mountedAlready) }
        try await requireNewPath()
        do { try await storages.attach(storage, at: mount) } catch {
            throw (error as? StorageFailure).map { Self.error($0) } ?? error
        }
        do {
            try await keep(ShownMount(mount, of: storage.shown, in: storage.folder), of: storage, mounting)
        } catch {
            await storages.detach(mount)
            throw error
        }
    }

    /// Shows the mount and keeps it; another client may have taken the name while this one waited.
    private func keep(_ shown: ShownMount, of storage: NetworkStorage?, _ mounting: any LibraryMounting) async throws {
        try requireFreeName()
        server.mounts.append(shown)
        do {
            try await mounting.mount(shown.folder ?? shown.storage, at: mount, of: storage)
        } catch {
            server.mounts.removeAll { $0.path == mount }
            throw error
        }
    }

    private static func folder(of uri: String) -> String? {
        var path = uri
        if uri.prefix(7).lowercased() == "file://" {
            guard let decoded = FileNames.inUse.path(escaped: uri.dropFirst(7)) else { return nil }
            path = decoded
        }
        return path.isAbsolutePath ? String(path.withoutLastSlashes) : nil
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
