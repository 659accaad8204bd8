import Foundation
import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

/// Adds a folder of music to the library.
///
/// - Wire: `mount {PATH} {URI}` → `OK`; the folder is scanned afterwards.
/// - Shape: PATH is a name at the top of the library. URI is the folder's absolute path or a `file://` URI of it.
/// - Errors: ACK 2 for a bad or busy name, for a folder that is mounted already, and for URIs that name no folder of
///   music; 4 for clients on the network and a folder that isn't below one of `mount_roots`; 52 for a folder that can't
///   be read.
/// - Source: MPD v0.24.13 src/command/StorageCommands.cxx `handle_mount`. Differs: MPD mounts network storages and no
///   local folders.
struct MountCommand: Command {
    static let name: StaticString = "mount"
    static let permission = Permission.admin
    static let argumentCount = 2...2
    static let usage: StaticString = "{PATH} {URI}"
    static let origin = CommandOrigin.mpd(since: "0.19")

    private let mount: String
    private let uri: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        mount = try arguments.string()
        uri = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let server = context.server
        guard !mount.isEmpty, !mount.contains("/"), mount != ".", mount != ".." else {
            throw AckError(.argument, "Bad mount point")
        }
        guard !server.mounts.contains(where: { $0.path == mount }) else {
            throw AckError(.argument, "Mount point busy")
        }
        guard let folder = Self.folder(of: uri), let mounting = server.mounting else {
            throw AckError(.argument, "Unrecognized storage URI")
        }
        guard !server.mounts.contains(where: { $0.storage == folder }), folder != server.musicDirectory else {
            throw AckError(.argument, "This storage is already mounted")
        }
        if let refusal = await mounting.refusal(of: folder, isLocal: context.client.isLocal) {
            throw Self.error(refusal, folder)
        }
        guard try await server.library.index.kind(of: mount) == nil else { throw AckError(.argument, "Already exists") }
        // Another client may have taken the name while the library was asked.
        guard !server.mounts.contains(where: { $0.path == mount }) else {
            throw AckError(.argument, "Mount point busy")
        }
        server.addMount(mount, of: folder)
        do {
            try await mounting.mount(folder, at: mount)
        } catch {
            server.removeMount(mount)
            throw error
        }
        server.notify(.mount, nil)
        // The mount has to be read in any case: where other paths take all the room, with everything else.
        if server.updating.startUpdate(uri: mount, rescan: false) == nil {
            _ = server.updating.startUpdate(uri: "", rescan: false)
        }
    }

    /// The path that a URI names; nil if it isn't a local folder's.
    private static func folder(of uri: String) -> String? {
        var path = uri
        if uri.prefix(7).lowercased() == "file://" {
            guard let decoded = String(uri.dropFirst(7)).removingPercentEncoding else { return nil }
            path = decoded
        }
        guard path.hasPrefix("/") else { return nil }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    private static func error(_ refusal: MountRefusal, _ folder: String) -> AckError {
        switch refusal {
        case .system(let code):
            AckError(.system, "Failed to access \(folder): \(String(cString: strerror(code)))")
        case .outsideOfRoots:
            AckError(
                .permission, "Over TCP only folders below mount_roots can be mounted; use the Unix socket, or add one")
        case .noFolderOfMusic: AckError(.argument, "\(folder) is no folder of music")
        }
    }
}
