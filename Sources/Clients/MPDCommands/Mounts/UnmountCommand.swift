import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop

/// Takes a mounted folder out of the library; its songs leave the queues, but for those that are playing. The volume of
/// a network storage is unmounted afterwards, if it was mounted for this.
///
/// - Wire: `unmount {PATH}` → `OK`.
/// - Errors: ACK 2 for a name that is no mount, and for sources of the configuration.
/// - Source: MPD v0.24.13 src/command/StorageCommands.cxx `handle_unmount`.
struct UnmountCommand: Command {
    static let name: StaticString = "unmount"
    static let permission = Permission.admin
    static let argumentCount = 1...1
    static let usage: StaticString = "{PATH}"
    static let origin = CommandOrigin.mpd(since: "0.19")

    static func isAvailable(in server: ServerContext) -> Bool { server.mounting != nil }

    private let mount: String

    init(parsing arguments: inout Arguments) throws(AckError) {
        mount = try arguments.string()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        guard !mount.isEmpty else { throw AckError(.argument, "Bad mount point") }
        let server = context.server
        guard server.mounts.contains(where: { $0.path == mount }), let mounting = server.mounting else {
            throw AckError(.argument, "Not a mount point")
        }
        guard try await mounting.unmount(mount) else {
            throw AckError(.argument, "This mount belongs to the configuration")
        }
        server.removeMount(mount)
        await server.storages?.detach(mount)
        server.notify(.mount, nil)
    }
}
