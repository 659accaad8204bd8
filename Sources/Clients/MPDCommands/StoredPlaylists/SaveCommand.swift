import Coordination
import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

/// Saves the queue as a stored playlist.
///
/// - Wire: `save {NAME} [create|append|replace]` → `OK`.
/// - Errors: ACK 56 when `create` finds one, 50 when the others find none, 2 for a bad name or mode.
/// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_save`, src/PlaylistSave.cxx `spl_save_queue`.
struct SaveCommand: Command {
    static let name: StaticString = "save"
    static let permission = Permission.control
    static let argumentCount = 1...2
    static let usage: StaticString = "{NAME} [MODE]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    private let playlist: String
    private let mode: Library.SaveMode

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.string()
        switch arguments.next() {
        case nil, "create": mode = .create
        case "append": mode = .append
        case "replace": mode = .replace
        default:
            throw AckError(
                .argument, "Unrecognized save mode, expected one of 'create', 'append', 'replace'")
        }
        try Arguments.checkPlaylistName(playlist)
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let room = try await context.roomForEdit(of: context.player.count, "a saved playlist")
        defer { room?.release() }
        let items = await Self.items(of: context.player.entries)
        try await context.server.library.saveStoredPlaylist(playlist, items, mode: mode)
        context.playlistsChanged()
    }

    /// The items that the entries play; off the event loop, as a large queue takes milliseconds.
    @concurrent
    private static func items(of entries: QueueEntries) async -> [QueueItem] {
        var items: [QueueItem] = []
        items.reserveCapacity(entries.count)
        entries.forEach(in: 0..<entries.count) { _, _, item, _ in items.append(item) }
        return items
    }
}
