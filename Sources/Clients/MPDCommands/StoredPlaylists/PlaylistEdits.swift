import Coordination
import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

extension Command {
    /// Puts a playlist, or a part of it, into the queue: a stored one, a file of the music folder by its path, or one
    /// on a web server by its URL. With the queue of another client of the server comes its place: unless music plays,
    /// its song becomes the current one, paused where it was there.
    static let load = Command(
        "load", .add, 1...3, "{NAME} [START:END] [POSITION]", since: "before 0.12", withoutClient: .endsSoon
    ) { arguments in
        let playlist = try arguments.string()
        let range = arguments.isEmpty ? .everything : try arguments.range()
        let position = arguments.isEmpty ? nil : try arguments.position()
        return .suspending { context, _ in
            try context.check(position)
            let other = context.server.parts.otherQueue
            // After this, the playlist is up to date as well.
            let place = other?.playlistName == playlist ? await other?.place() : nil
            let (candidates, places) = try await context.playlistCandidates(playlist, range)
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

    static let playlistAdd = Command(
        "playlistadd", .control, 2...3, "{NAME} {URI} [POSITION]", since: "0.13", withoutClient: .endsSoon
    ) { arguments in
        let playlist = try arguments.playlistName()
        let argument = try arguments.string()
        let uri = argument == "/" ? "" : argument
        let position = arguments.isEmpty ? nil : try arguments.unsigned()
        return .suspending { context, _ in
            if let position {
                // A wrong position is reported before a wrong song.
                try await context.server.library.checkInsertion(intoStoredPlaylist: playlist, at: position)
            }
            let items: [QueueItem]
            if LocatedURI.hasScheme(uri) || uri.isAbsolutePath && context.client.isLocal {
                switch try LocatedURI(uri, for: .input, in: context) {
                case .absolute(let url): items = [.stream(url: url, tags: [])]
                case .outside(let path):
                    try await context.allowOutside(path, orElse: AckError(.noExist, "No such directory"))
                    items = [try await context.outsideCandidate(path).item]
                case .relative(let path): items = try await context.items(below: path)
                }
            } else {
                items = try await context.items(below: uri)
            }
            try await context.addToPlaylist(playlist, items, at: position)
        }
    }

    static let playlistClear = Command("playlistclear", .control, 1...1, "{NAME}", since: "0.13") { arguments in
        let playlist = try arguments.playlistName()
        return .suspending { context, _ in
            try await context.server.library.clearStoredPlaylist(playlist)
            context.playlistsChanged()
        }
    }

    static let playlistDelete = Command(
        "playlistdelete", .control, 2...2, "{NAME} {SONGPOS|START:END}", since: "0.13"
    ) { arguments in
        let playlist = try arguments.playlistName()
        let range = try arguments.range()
        return .suspending { context, _ in
            try await context.server.library.deleteFromStoredPlaylist(playlist, range.start..<(range.end ?? .max))
            context.playlistsChanged()
        }
    }

    /// Moves items within a stored playlist; `OK` for a move to where they are, whatever the name.
    static let playlistMove = Command(
        "playlistmove", .control, 3...3, "{NAME} {FROM|START:END} {TO}", since: "0.13"
    ) { arguments in
        let playlist = try arguments.string()
        let range = try arguments.range()
        guard let end = range.end else { throw AckError(.argument, "Open-ended range not supported") }
        let source = range.start..<end
        let destination = try arguments.unsigned()
        if source.isEmpty || source.lowerBound == destination { return .immediate { _, _ in } }
        try Arguments.checkPlaylistName(playlist)
        return .suspending { context, _ in
            try await context.server.library.moveInStoredPlaylist(playlist, source, to: destination)
            context.playlistsChanged()
        }
    }

    static let rename = Command("rename", .control, 2...2, "{NAME} {NEW_NAME}", since: "0.13") { arguments in
        let playlist = try arguments.playlistName()
        let newName = try arguments.playlistName()
        return .suspending { context, _ in
            do {
                try await context.server.library.renameStoredPlaylist(playlist, to: newName)
            } catch let error as LibraryError where error.code == .playlistExists {
                throw AckError(.exist, "Playlist exists already")
            }
            context.playlistsChanged()
        }
    }

    static let rm = Command("rm", .control, 1...1, "{NAME}", since: "before 0.12") { arguments in
        let playlist = try arguments.playlistName()
        return .suspending { context, _ in
            let library = context.server.library
            try await library.removeStoredPlaylist(playlist)
            context.playlistsChanged()
            context.stickerChanged(try await library.deleteStickers(of: .playlist(playlist)).last)
        }
    }

    static let save = Command("save", .control, 1...2, "{NAME} [MODE]", since: "before 0.12") { arguments in
        let playlist = try arguments.string()
        let mode: Library.SaveMode
        switch arguments.next() {
        case nil, "create": mode = .create
        case "append": mode = .append
        case "replace": mode = .replace
        default:
            throw AckError(.argument, "Unrecognized save mode, expected one of 'create', 'append', 'replace'")
        }
        try Arguments.checkPlaylistName(playlist)
        return .suspending { context, _ in
            let room = try await context.roomForEdit(of: context.player.count, "a saved playlist")
            defer { room?.release() }
            let items = await LongList.beside { [entries = context.player.entries] in entries.map(\.item) }
            try await context.server.library.saveStoredPlaylist(playlist, items, mode: mode)
            context.playlistsChanged()
        }
    }
}

extension CommandContext {
    /// A song, or the songs of a directory, on their way into a playlist.
    @ServerActor
    fileprivate func items(below path: String) async throws -> [QueueItem] {
        let songs = try await server.library.index.songIDs(below: path)
        return await LongList.handle(consume songs) { $0.map { .song($0) } }
    }
}
