import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

/// Puts a song, a directory with all that is in it, or a stream into a stored playlist, which is created when need be.
///
/// - Wire: `playlistadd {NAME} {URI} [POSITION]` → `OK`.
/// - Errors: ACK 50 for what isn't in the library, 2 for a bad name, an unsupported scheme or a position beyond the
///   end.
/// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_playlistadd`.
struct PlaylistAddCommand: Command {
    static let name: StaticString = "playlistadd"
    static let permission = Permission.control
    static let argumentCount = 2...3
    static let usage: StaticString = "{NAME} {URI} [POSITION]"
    static let origin = CommandOrigin.mpd(since: "0.13")
    static let withoutClient = ClientLoss.endsSoon

    private let playlist: String
    private let uri: String
    private let position: Int?

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.playlistName()
        let uri = try arguments.string()
        self.uri = uri == "/" ? "" : uri
        position = arguments.isEmpty ? nil : try arguments.unsigned()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        if let position {
            // A wrong position is told before a wrong song.
            try await context.server.library.checkInsertion(intoStoredPlaylist: playlist, at: position)
        }
        let items: [QueueItem]
        if LocatedURI.hasScheme(uri) || uri.isAbsolutePath && context.client.isLocal {
            switch try LocatedURI(uri, for: .input, in: context) {
            case .absolute(let url): items = [.stream(url: url, tags: [])]
            case .outside(let path):
                try await context.allowOutside(path, orElse: AckError(.noExist, "No such directory"))
                items = [try await context.outsideCandidate(path).item]
            case .relative(let path): items = try await songs(below: path, in: context)
            }
        } else {
            items = try await songs(below: uri, in: context)
        }
        try await context.addToPlaylist(playlist, items, at: position)
    }

    @ServerActor
    private func songs(below path: String, in context: CommandContext) async throws -> [QueueItem] {
        let songs = try await context.server.library.index.songIDs(below: path)
        return await LongList.handle(consume songs) { $0.map { .song($0) } }
    }
}
