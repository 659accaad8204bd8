import LibraryIndex
import MPDProtocol
import ServerLoop
import UserLibrary

/// Shows sizes of the library and times of the server.
///
/// - Wire: `stats` → `uptime`, `playtime`, `artists`, `albums`, `songs`, `db_playtime`, `db_update`; times in seconds.
/// - Source: MPD v0.24.13 src/Stats.cxx. `uptime` starts at 1, because clients take 0 for another server.
struct StatsCommand: ReadyCommand {
    static let name: StaticString = "stats"
    static let permission = Permission.read
    static let argumentCount = 0...0
    static let usage: StaticString = ""
    static let origin = CommandOrigin.mpd(since: "before 0.12")

    init(parsing arguments: inout Arguments) throws(AckError) {}

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        write(try await context.server.library.index.statistics(), of: context.server, to: &response)
    }

    func runIfReady(in context: CommandContext, response: inout ResponseWriter) -> Bool {
        guard let library = context.server.library.index.knownStatistics else { return false }
        write(library, of: context.server, to: &response)
        return true
    }

    @ServerActor
    private func write(_ library: LibraryStatistics, of server: ServerContext, to response: inout ResponseWriter) {
        response.line("uptime: ", max(1, (ContinuousClock.now - server.startTime).components.seconds))
        response.line("playtime: ", server.playtime.roundedSeconds)
        response.line("artists: ", library.artists)
        response.line("albums: ", library.albums)
        response.line("songs: ", library.songs)
        response.line("db_playtime: ", library.playtime.components.seconds)
        response.line("db_update: ", library.updated)
    }
}
