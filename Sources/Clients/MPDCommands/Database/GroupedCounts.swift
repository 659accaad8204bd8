import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

/// The arguments that `count` and `searchcount` share, and their answer.
///
/// - Source: MPD v0.24.13 src/command/DatabaseCommands.cxx `handle_count_internal`, src/db/Count.cxx.
struct GroupedCounts: Sendable {
    private let filter: SongFilter
    private let group: Tag?

    /// Takes `[FILTER] [group TAG]`.
    init(parsing arguments: inout Arguments, foldsCase: Bool) throws(AckError) {
        group = try arguments.trailingGroup()
        filter = arguments.isEmpty ? .all : try arguments.filter(foldsCase: foldsCase)
    }

    /// Counts, and appends `songs` and `playtime` lines, behind the value for each group.
    @ServerActor
    func write(to response: inout ResponseWriter, in context: CommandContext) async throws {
        let library = context.server.library
        let counts = try await library.index.count(
            filter: context.normalized(filter), groups: group.map { [$0] } ?? [])
        for count in counts {
            if let group, let value = count.groups.first { response.line(group, value) }
            response.line("songs: ", count.songs)
            response.line("playtime: ", count.playtime.components.seconds)
            try await response.flushIfFull()
        }
        // MPD counts nothing, too, where nothing is grouped.
        if counts.isEmpty, group == nil {
            response.line("songs: ", 0)
            response.line("playtime: ", 0)
        }
    }
}
