import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

/// Puts what `search` finds into the queue.
///
/// - Wire: `searchadd {FILTER} [sort {TYPE}] [window {START:END}] [position {POS}]` → `OK`.
/// - Errors: as `search`; ACK 2 for a bad position, 55 for a relative one without a current song, 51 when the queue is
///   full.
/// - Source: MPD v0.24.13 src/command/DatabaseCommands.cxx `handle_match_add`.
struct SearchAddCommand: Command {
    static let name: StaticString = "searchadd"
    static let permission = Permission.add
    static let argumentCount = 1...Int.max
    static let usage: StaticString = "{FILTER} [sort {TYPE}] [window {START:END}] [position POS]"
    static let origin = CommandOrigin.mpd(since: "0.17")
    static let withoutClient = ClientLoss.endsSoon

    private let query: SongQuery
    private let position: ArgumentPosition?

    init(parsing arguments: inout Arguments) throws(AckError) {
        position = try arguments.trailingPosition()
        query = try arguments.query(foldsCase: true)
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        try context.check(position)
        let library = context.server.library
        let songs = try await library.index.findQueueable(context.normalized(query))
        let candidates = await LongList.handle(consume songs) { $0.map { QueueCandidate($0) } }
        try await context.insert(consume candidates, at: position)
    }
}
