import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

extension Command {
    static let listPlaylist = listingPlaylist("listplaylist", .uris)
    static let listPlaylistInfo = listingPlaylist("listplaylistinfo", .songs)

    /// Lists a stored playlist: URIs, or songs with their tags.
    ///
    /// - Wire: `listplaylist {NAME} [START:END]` → `file` lines; `listplaylistinfo {NAME} [START:END]` → songs.
    /// - Shape: the playlist is a stored one, a file of the music folder by its path, or one on a web server by its
    ///   URL.
    /// - Errors: ACK 50 for what isn't there, 2 for a malformed name or range, 5 or 52 for a server that fails.
    /// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_listplaylist`, `handle_listplaylistinfo`.
    private static func listingPlaylist(_ name: String, _ form: SongListing.Form) -> Command {
        Command(name, .read, 1...2, "{NAME} [START:END]", since: "0.12") { arguments in
            let playlist = try arguments.string()
            let range = arguments.isEmpty ? .everything : try arguments.range()
            return .suspending { context, response in
                let entries = try await context.playlistEntries(playlist)
                try await response.playlistEntries(consume entries, range, form, in: context)
            }
        }
    }

    /// Lists the stored playlists.
    ///
    /// - Wire: `listplaylists` → `playlist: NAME` and `Last-Modified: TIME` for each.
    /// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_listplaylists`.
    static let listPlaylists = Command("listplaylists", .read, since: "0.14") { _ in
        .suspending { context, response in
            response.storedPlaylists(try await context.server.library.storedPlaylists())
        }
    }

    /// Counts the songs of a stored playlist and their playing time.
    ///
    /// - Wire: `playlistlength {NAME}` → `songs: N`, `playtime: SECONDS`.
    /// - Errors: ACK 50 for what isn't there, 2 for a malformed name.
    /// - Source: MPD v0.24.13 src/playlist/Length.cxx.
    static let playlistLength = Command("playlistlength", .read, 1...1, "{NAME}", since: "0.24") { arguments in
        let playlist = try arguments.string()
        return .suspending { context, response in
            let length = try await context.playlistLength(playlist)
            response.line("songs: ", length.songs)
            response.line("playtime: ", length.playtime.evenlyRoundedSeconds)
        }
    }

    /// Searches a stored playlist without regard to case.
    ///
    /// - Wire: `searchplaylist {NAME} {FILTER} [window {START:END}]` → songs with `Pos`.
    /// - Errors: ACK 50 for what isn't there, 2 for a bad filter or window.
    /// - Source: MPD v0.24.13 src/command/PlaylistCommands.cxx `handle_searchplaylist`, src/playlist/Print.cxx.
    static let searchPlaylist = Command(
        "searchplaylist", .read, 2...4, "{NAME} {FILTER} [window {START:END}]", since: "0.24"
    ) { arguments in
        let playlist = try arguments.string()
        // With an old-style pair in front of it, MPD takes a window for a part of the filter.
        let window = arguments.count == 3 ? try arguments.trailingWindow() : .everything
        let filter = try arguments.filter(foldsCase: true)
        return .suspending { context, response in
            let search = try await context.server.library.index.search(for: context.normalized(filter))
            let entries = try await context.playlistEntries(playlist)
            // MPD counts an empty window down past zero, so that it has no end.
            let wanted = window.window.map { $0.isEmpty ? $0.lowerBound..<Int.max : $0 } ?? 0..<Int.max
            do {
                try await response.matches(of: search, in: entries, wanted, context)
            } catch {
                ServerActor.releaseOffLoop(consume entries)
                throw error
            }
            ServerActor.releaseOffLoop(consume entries)
        }
    }
}

extension ResponseWriter {
    /// Appends the songs of a playlist that a search finds, of which those in the window are wanted.
    @ServerActor
    fileprivate mutating func matches(
        of search: SongSearch, in entries: [PlaylistEntry], _ wanted: Range<Int>, _ context: CommandContext
    ) async throws {
        let mask = context.client.tagMask
        // Writing five times as many songs holds the loop for 8 ms.
        let batchSize = 100
        var hits = 0
        for start in stride(from: 0, to: entries.count, by: batchSize) where hits < wanted.upperBound {
            let batch = entries[start..<min(start + batchSize, entries.count)]
            let found = try await context.server.library.index.songs(behind: batch.map(\.item))
            let songs = zip(found, batch).map { $0?.entry($1.isMissing ? nil : $1.range, sheetTags: $1.sheetTags) }
            for place in try await search.places(in: songs.map { ($0, 0) }) {
                guard let song = songs[place] else { continue }
                let position = batch.startIndex + place
                if wanted.contains(hits) {
                    self.song(song, mask: mask)
                    if !entries[position].isMissing { line("Pos: ", position) }
                }
                hits += 1
            }
            try await flushIfFull()
        }
    }
}
