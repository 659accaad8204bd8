import MPDProtocol
import MusicModel
import ServerLoop

/// Lists the sources by their places in the tree.
///
/// - Wire: `listmounts` → `mount: PATH` and `storage: URI`; a local folder's path only for clients on the Unix socket.
/// - Source: MPD v0.24.13 src/command/StorageCommands.cxx `handle_listmounts`.
struct ListMountsCommand: Command {
    static let name: StaticString = "listmounts"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "0.19")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) {
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
}
