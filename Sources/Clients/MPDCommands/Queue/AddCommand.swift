import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

/// Puts a song, a directory with all that is in it, or a stream into the queue.
///
/// - Wire: `add {URI} [POSITION]` → `OK`; an empty URI and `/` are the whole library.
/// - Errors: ACK 50 for what isn't in the library, 2 for a malformed path, an unsupported scheme or a bad position, 4
///   for a file path over TCP, 51 when the queue is full, 55 for a relative position without a current song.
/// - Source: MPD v0.24.13 src/command/QueueCommands.cxx `handle_add`.
struct AddCommand: Command {
    static let name: StaticString = "add"
    static let permission = Permission.add
    static let argumentCount = 1...2
    static let usage: StaticString = "{URI} [POSITION]"
    static let origin = CommandOrigin.mpd(since: "before 0.12")
    static let withoutClient = ClientLoss.endsSoon

    private let uri: String
    private let position: ArgumentPosition?

    init(parsing arguments: inout Arguments) throws(AckError) {
        let uri = try arguments.string()
        self.uri = uri == "/" ? "" : uri
        position = arguments.isEmpty ? nil : try arguments.position()
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try context.check(position)
        switch try LocatedURI(uri, for: .input, in: context, allowsEmpty: true) {
        case .absolute(let url):
            try await context.insert(try await context.candidates(stream: url), at: position)
        case .outside(let path): try await context.insert([try await context.outsideCandidate(path)], at: position)
        case .relative(let path):
            let songs = try await context.server.library.index.queueable(below: path)
            let candidates = await LongList.handle(consume songs) { $0.map { QueueCandidate($0) } }
            try await context.insert(consume candidates, at: position)
        }
    }
}
