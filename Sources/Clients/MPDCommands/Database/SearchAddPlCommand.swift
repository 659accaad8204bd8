import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

/// Puts what `search` finds into a stored playlist, which is created when need be.
///
/// - Wire: `searchaddpl {NAME} {FILTER} [sort {TYPE}] [window {START:END}] [position {POS}]` → `OK`.
/// - Errors: as `search`; ACK 2 for a bad name or position. Without hits nothing is created.
/// - Source: MPD v0.24.13 src/command/DatabaseCommands.cxx `handle_searchaddpl`, src/db/DatabasePlaylist.cxx.
struct SearchAddPlCommand: Command {
    static let name: StaticString = "searchaddpl"
    static let permission = Permission.control
    static let argumentCount = 2...Int.max
    static let usage: StaticString = "{NAME} {FILTER} [sort {TYPE}] [window {START:END}] [position POS]"
    static let origin = CommandOrigin.mpd(since: "0.17")
    static let withoutClient = ClientLoss.endsSoon

    private let playlist: String
    private let query: SongQuery
    private let position: Int?

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.string()
        if let text = arguments.trailing("position") {
            var argument = Arguments([text])
            position = try argument.unsigned()
        } else {
            position = nil
        }
        query = try arguments.query(foldsCase: true)
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let library = context.server.library
        let songs = try await library.index.findQueueable(context.normalized(query))
        let items = await LongList.handle(consume songs) { $0.map { QueueItem.song($0.id) } }
        try await context.addToPlaylist(playlist, items, at: position)
    }
}
