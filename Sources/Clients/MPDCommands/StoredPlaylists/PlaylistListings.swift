import Coordination
import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import UserLibrary

extension Command {
    static let listPlaylist = listingPlaylist("listplaylist", .uris)
    static let listPlaylistInfo = listingPlaylist("listplaylistinfo", .songs)

    /// Lists a playlist, one that is stored, a file or on a web server: URIs, or songs with their tags.
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

    static let listPlaylists = suspending("listplaylists", .read, since: "0.14") { context, response in
        response.storedPlaylists(try await context.server.library.storedPlaylists())
    }

    /// Counts the songs of a stored playlist and their playing time.
    static let playlistLength = Command("playlistlength", .read, 1...1, "{NAME}", since: "0.24") { arguments in
        let playlist = try arguments.string()
        return .suspending { context, response in
            let length = try await context.playlistLength(playlist)
            response.line("songs: ", length.songs)
            response.line("playtime: ", length.playtime.evenlyRoundedSeconds)
        }
    }

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

extension Arguments {
    /// Takes a stored playlist's name to write to, by MPD's `spl_valid_name`.
    mutating func playlistName() throws(AckError) -> String {
        let name = try string()
        try Self.checkPlaylistName(name)
        return name
    }

    static func checkPlaylistName(_ name: String) throws(AckError) {
        let isBad = name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 10 || $0 == 13 }
        guard !name.isEmpty, !isBad else { throw AckError(.argument, "Bad playlist name") }
    }
}

extension CommandContext {
    /// Puts items into a stored playlist, which is created when need be; without items nothing happens.
    @ServerActor
    func addToPlaylist(_ name: String, _ items: [QueueItem], at position: Int?) async throws {
        guard position != nil || !items.isEmpty else { return }
        try Arguments.checkPlaylistName(name)
        try Task.checkCancellation()
        let room = try await roomForEdit(of: items.count, "a saved playlist")
        defer { room?.release() }
        try await server.library.insertIntoStoredPlaylist(name, items, at: position)
        if items.isEmpty { return }
        playlistsChanged()
    }

    @ServerActor
    func playlistsChanged() { server.notify(.storedPlaylist, nil) }
}

extension ArgumentRange {
    /// The part of a list that the range covers, which may be nothing.
    func part<Element>(of list: [Element]) -> ArraySlice<Element> {
        list[(clipped(to: list.count) ?? list.count..<list.count)]
    }
}

extension ResponseWriter {
    mutating func storedPlaylists(_ playlists: [StoredPlaylist]) {
        for playlist in playlists {
            line("playlist: ", playlist.name)
            line("Last-Modified: ", unixTime: playlist.lastModified)
        }
    }
}
