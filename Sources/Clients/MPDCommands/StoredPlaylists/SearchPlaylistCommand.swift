import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

/// Searches a stored playlist without regard to case.
///
/// - Wire: `searchplaylist {NAME} {FILTER} [window {START:END}]` → songs with `Pos`.
/// - Errors: ACK 50 for what isn't there, 2 for a bad filter or window.
/// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_searchplaylist`, src/playlist/Print.cxx.
struct SearchPlaylistCommand: Command {
    static let name: StaticString = "searchplaylist"
    static let permission = Permission.read
    static let argumentCount = 2...4
    static let usage: StaticString = "{NAME} {FILTER} [window {START:END}]"
    static let origin = CommandOrigin.mpd(since: "0.24")

    /// Writing five times as many songs holds the loop for 8 ms.
    private static let batchSize = 100
    private let playlist: String
    private let filter: SongFilter
    private let window: ArgumentRange

    init(parsing arguments: inout Arguments) throws(AckError) {
        playlist = try arguments.string()
        // With an old-style pair in front of it, MPD takes a window for a part of the filter.
        window = arguments.count == 3 ? try arguments.trailingWindow() : .everything
        filter = try arguments.filter(foldsCase: true)
    }

    func run(in context: CommandContext, response: inout ResponseWriter) async throws {
        let search = try await context.server.library.index.search(for: context.normalized(filter))
        let entries = try await context.playlistEntries(playlist)
        do {
            try await list(entries, search, in: context, &response)
        } catch {
            ServerActor.releaseOffLoop(consume entries)
            throw error
        }
        ServerActor.releaseOffLoop(consume entries)
    }

    @ServerActor
    private func list(
        _ entries: [PlaylistEntry], _ search: SongSearch, in context: CommandContext, _ response: inout ResponseWriter
    ) async throws {
        let mask = context.client.tagMask
        // MPD counts an empty window down past zero, so that it has no end.
        let wanted = window.window.map { $0.isEmpty ? $0.lowerBound..<Int.max : $0 } ?? 0..<Int.max
        var hits = 0
        for start in stride(from: 0, to: entries.count, by: Self.batchSize) where hits < wanted.upperBound {
            let batch = entries[start..<min(start + Self.batchSize, entries.count)]
            let found = try await context.server.library.index.songs(behind: batch.map(\.item))
            let songs = zip(found, batch).map { $0?.entry($1.isMissing ? nil : $1.range, sheetTags: $1.sheetTags) }
            for place in try await search.places(in: songs.map { ($0, 0) }) {
                guard let song = songs[place] else { continue }
                let position = batch.startIndex + place
                if wanted.contains(hits) {
                    response.song(song, mask: mask)
                    if !entries[position].isMissing { response.line("Pos: ", position) }
                }
                hits += 1
            }
            try await response.flushIfFull()
        }
    }
}
