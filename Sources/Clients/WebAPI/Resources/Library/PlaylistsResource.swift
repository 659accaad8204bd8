import LibraryIndex
import MPDCommands
import MPDProtocol
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

enum PlaylistsResource {
    static let routes = [
        Route(.GET, "/api/playlists") { request in
            let (start, count) = try request.window()
            let words = SearchWords(request.http.query["q"])
            let stored = words.narrowing(try await request.api.rows.library.storedPlaylists(), by: \.name)
            // Users' own playlists first, or those that Segue adds would precede them.
            let playlists = stored.filter { !$0.isReadOnly } + stored.filter(\.isReadOnly)
            let part = playlists.dropFirst(start).prefix(count)
            // Those that Segue generates have no length before a client asks for them.
            let lengths = try await request.api.rows.library.lengthsOfStoredPlaylists(part.map(\.name))
            let covers = try await covers(of: Set(lengths.values.compactMap(\.first)), request)
            return ListAnswer.make(tag: nil, total: playlists.count) { json in
                for playlist in part {
                    let length = lengths[playlist.name]
                    json.playlist(playlist, length, cover: length?.first.flatMap { covers[$0] })
                }
            }
        },
        Route(.GET, "/api/playlists/{name}") { try await entries($0, of: $0.parameter("name")) },
    ]

    private static func covers(of songs: Set<SongID>, _ request: APIRequest) async throws -> [SongID: String] {
        let songs = Array(songs)
        let rows = try await request.api.rows.rows(of: songs.map { .song($0) })
        let covers = zip(songs, rows).compactMap { song, row in (row?.cover).map { (song, $0) } }
        return Dictionary(uniqueKeysWithValues: covers)
    }

    /// A playlist with the window of its entries that the request asks for.
    static func entries(_ request: APIRequest, of name: String) async throws -> HTTPResponse {
        let (start, count) = try request.window()
        let library = request.api.rows.library
        let items = try await library.storedPlaylist(name)
        let part = Array(items.dropFirst(start).prefix(count))
        let rows = try await request.api.rows.rows(of: part)
        let known = try await library.storedPlaylists().first { $0.name == name }
        // Pages read a long playlist window by window; the first one tells how long it is.
        let length = start == 0 ? try await library.lengthOfStoredPlaylist(name) : nil
        return .object(capacity: 512 * rows.count) { json in
            json.field("name", name)
            json.field("total", items.count)
            json.field("songs", items.count)
            json.field("duration", length?.playtime)
            json.field("start", start)
            json.field("modified", known.map { JSONWriter.time($0.lastModified) })
            json.field("readOnly", known?.isReadOnly ?? true)
            json.field("owner", known?.owner)
            json.field("conflictOf", ConflictCopy.original(of: name))
            json.array("items", rows.compactMap { $0 }) { $0.song($1) }
        }
    }
}

extension JSONWriter {
    /// Writes a playlist without its entries; one that was not counted has no length.
    mutating func playlist(_ playlist: StoredPlaylist, _ length: PlaylistLength? = nil, cover: String? = nil) {
        object { json in
            json.field("name", playlist.name)
            json.field("songs", length?.songs)
            json.field("duration", length?.playtime)
            json.field("modified", Self.time(playlist.lastModified))
            json.field("readOnly", playlist.isReadOnly)
            json.field("owner", playlist.owner)
            json.field("cover", cover)
            json.field("conflictOf", ConflictCopy.original(of: playlist.name))
        }
    }
}

/// Making, filling, renaming and deleting stored playlists, by MPD's commands.
enum PlaylistEdits {
    static let routes: [Route] = [
        Route(.POST, "/api/playlists", .control) { request in
            let body = try await request.body()
            let name = try body.required("name", "It needs a name.")
            let songs = try NamedSongs(body)
            if try body.bool("queue") == true {
                try await request.run([["save", name]])
            } else {
                let uris = try await songs.addresses(request)
                guard try await !request.api.rows.library.storedPlaylists().contains(where: { $0.name == name }) else {
                    throw APIError(.conflict, code: .exist, "Playlist already exists", field: "name")
                }
                try await request.run(uris.map { ["playlistadd", name, $0] })
            }
            return HTTPResponse.object(.created) { $0.field("name", name) }
        },
        .running(.POST, "/api/playlists/{name}/songs", .control) { request in
            let playlist = request.parameter("name")
            // MPD's command would make one that isn't there.
            _ = try await request.api.rows.library.storedPlaylist(playlist)
            let uris = try await NamedSongs(try await request.body()).addresses(request)
            return uris.map { ["playlistadd", playlist, $0] }
        },
        Route(.PUT, "/api/playlists/{name}", .control) { request in
            let name = try await request.body().required("name", "It needs a new name.")
            try await request.run([["rename", request.parameter("name"), name]])
            return .object { $0.field("name", name) }
        },
        .running(.DELETE, "/api/playlists/{name}", .control) { [["rm", $0.parameter("name")]] },
    ]
}

private struct NamedSongs {
    let uris: [String]?
    let ids: [SongID]?

    init(_ body: JSONValue) throws(APIError) {
        uris = try body.uris(atMost: CommandRunner.limit)
        ids = try body.songs(atMost: CommandRunner.limit)
    }

    /// - Throws: `APIError` 400 where none is named, and 404 for a song that isn't there.
    func addresses(_ request: APIRequest) async throws -> [String] {
        if let uris { return uris }
        guard let ids else {
            throw APIError.wrong("songs", "Say what, with uris, or with ids in songs; or queue as true.")
        }
        return try await request.api.rows.library.index.songs(ids).map { song in
            guard let song else { throw APIError.missing("There is no such song.") }
            return song.uri
        }
    }
}

/// Playlists that are made for the listener, new each day.
enum MixesResource {
    static let routes = [
        Route(.GET, "/api/mixes") { request in
            let rows = request.api.rows
            var mixes: [(name: String, songs: Int, cover: String?)] = []
            for name in await request.api.parts.facts.mixes() {
                do {
                    let items = try await rows.library.storedPlaylist(name)
                    guard let first = items.first else { continue }
                    let cover = try await rows.rows(of: [first]).first.flatMap { $0?.cover }
                    mixes.append((name, items.count, cover))
                } catch let error as LibraryError where error.code == .noSuchPlaylist {
                    // One may have been replaced meanwhile by one of another name.
                }
            }
            return .object { json in
                json.field("total", mixes.count)
                json.objects("items", mixes) { json, mix in
                    json.field("name", mix.name)
                    json.field("title", title(of: mix.name))
                    json.field("songs", mix.songs)
                    json.field("cover", mix.cover)
                }
            }
        },
        Route(.GET, "/api/mixes/{name}") { request in
            let (asked, names) = (request.parameter("name"), await request.api.parts.facts.mixes())
            guard let name = names.first(where: { $0 == asked || title(of: $0) == asked }) else {
                throw APIError.missing("There is no such mix today; /api/mixes lists them.")
            }
            return try await PlaylistsResource.entries(request, of: name)
        },
    ]

    /// A mix as people call it: names stand in brackets, so that no user's own playlist is called so.
    private static func title(of name: String) -> String {
        name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
    }
}
