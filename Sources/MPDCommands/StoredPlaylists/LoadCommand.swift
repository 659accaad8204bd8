import Library
import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Puts a stored playlist, or a part of it, into the queue.
///
/// - Wire: `load {NAME} [START:END] [POSITION]` → `OK`.
/// - Shape: the playlist is a stored one, a file of the music folder by its path, or one on a web server by its URL.
/// - Errors: ACK 50 for what isn't there, 2 for a malformed name or a bad position, 55 for a relative position without a
///   current song, 51 when the queue is full, 5 or 52 for a server that fails.
/// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_load`, src/playlist/PlaylistQueue.cxx.
struct LoadCommand: Command {
    static let name: StaticString = "load"
    static let permission = Permission.add
    static let argumentCount = 1...3
    static let usage: StaticString = "{NAME} [START:END] [POSITION]"

    private let playlist: String
    private let range: ArgumentRange
    private let position: ArgumentPosition?

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.string()
        range = arguments.isEmpty ? .everything : try arguments.range()
        position = arguments.isEmpty ? nil : try arguments.position()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try context.check(position)
        let entries = range.part(of: try await context.playlistEntries(playlist))
        let ids = entries.compactMap { entry in
            if case .song(let id) = entry.item { id } else { nil }
        }
        let songs = ids.isEmpty ? [:] : try await context.server.library.queueable(ids)
        let candidates = entries.compactMap { entry -> QueueCandidate? in
            switch entry.item {
            case .song(let id): songs[id].map(QueueCandidate.init)
            case .stream: entry.isMissing ? nil : QueueCandidate(entry.item, duration: entry.duration)
            }
        }
        try context.insert(candidates, at: position)
        context.player.setLastLoadedPlaylist(LocatedURI.withoutCredentials(playlist))
    }
}
