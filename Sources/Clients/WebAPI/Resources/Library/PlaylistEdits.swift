import LibraryIndex
import MPDCommands
import MPDProtocol
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

/// Making, filling, renaming and deleting stored playlists, by MPD's commands.
enum PlaylistEdits {
    static let routes = [
        Route(.POST, "/api/playlists", .control) { request in
            let body = try await request.body()
            let name = try newName(in: body, "It needs a name.")
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
            return HTTPResponse.json(.created) { json in json.object { $0.field("name", name) } }
        },
        Route(.POST, "/api/playlists/{name}/songs", .control) { request in
            let playlist = request.parameter("name")
            // MPD's command would make one that isn't there.
            _ = try await request.api.rows.library.storedPlaylist(playlist)
            let uris = try await NamedSongs(try await request.body()).addresses(request)
            try await request.run(uris.map { ["playlistadd", playlist, $0] })
            return .done
        },
        Route(.PUT, "/api/playlists/{name}", .control) { request in
            let name = try newName(in: try await request.body(), "It needs a new name.")
            try await request.run([["rename", request.parameter("name"), name]])
            return .json { json in json.object { $0.field("name", name) } }
        },
        Route(.DELETE, "/api/playlists/{name}", .control) { request in
            try await request.run([["rm", request.parameter("name")]])
            return .done
        },
    ]

    private static func newName(in body: JSONValue, _ advice: String) throws(APIError) -> String {
        guard let name = try body.text("name"), !name.isEmpty else { throw .wrong("name", advice) }
        return name
    }
}

/// The songs that a body names, by `uris` or by ids.
private struct NamedSongs {
    let uris: [String]?
    let ids: [SongID]?

    /// - Throws: `APIError` 400 for too many, or other values.
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
