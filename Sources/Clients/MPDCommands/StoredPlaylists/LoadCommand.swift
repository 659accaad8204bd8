import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop

/// Puts a stored playlist, or a part of it, into the queue.
///
/// - Wire: `load {NAME} [START:END] [POSITION]` → `OK`.
/// - Shape: the playlist is a stored one, a file of the music folder by its path, or one on a web server by its URL.
///   With the queue of another client of the server comes its place: unless music plays, its song becomes the current
///   one, paused where it was there.
/// - Errors: ACK 50 for what isn't there, 2 for a malformed name or a bad position, 55 for a relative position without
///   a current song, 51 when the queue is full, 5 or 52 for a server that fails.
/// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_load`, src/playlist/PlaylistQueue.cxx.
struct LoadCommand: Command {
    static let name: StaticString = "load"
    static let permission = Permission.add
    static let argumentCount = 1...3
    static let usage: StaticString = "{NAME} [START:END] [POSITION]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")
    static let withoutClient = ClientLoss.endsSoon

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
        let place = await context.otherQueuePlace(in: playlist)
        let (candidates, places) = try await context.playlistCandidates(playlist, range).lists
        let current = place.flatMap { places.firstIndex(of: $0.index) }
        ServerActor.releaseOffLoop(consume places)
        let added = try await context.insert(consume candidates, at: position)
        if let place, let current, added.indices.contains(current) {
            try context.player.cue(id: added[current], at: place.elapsed)
        }
        ServerActor.releaseOffLoop(consume added)
        context.server.parts.ownChannel?.loaded(playlist, in: context.client.partition)
        context.player.setLastLoadedPlaylist(StreamURL.withoutCredentials(playlist))
    }
}
