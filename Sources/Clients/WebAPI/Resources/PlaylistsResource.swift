import LibraryIndex
import MPDCommands
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

/// Stored playlists, each with a window of its entries.
enum PlaylistsResource {
    static let routes = [
        Route(.GET, "/api/playlists") { request in
            let (start, count) = try request.window()
            let stored = try await request.api.rows.library.storedPlaylists()
            // People's own ones first: those that Segue adds would stand above all of them.
            let playlists = stored.filter { !$0.isReadOnly } + stored.filter(\.isReadOnly)
            return ListAnswer.make(request, tag: nil, total: playlists.count) { json in
                for playlist in playlists.dropFirst(start).prefix(count) { json.playlist(playlist) }
            }
        },
        Route(.GET, "/api/playlists/{name}") { request in
            let (start, count) = try request.window()
            let library = request.api.rows.library
            let name = request.parameter("name")
            let items = try await library.storedPlaylist(name)
            let part = Array(items.dropFirst(start).prefix(count))
            let rows = try await request.api.rows.rows(of: part)
            let known = try await library.storedPlaylists().first { $0.name == name }
            return .json(capacity: 512 * rows.count) { json in
                json.object { json in
                    json.field("name", name)
                    json.field("total", items.count)
                    json.field("songs", items.count)
                    json.field("start", start)
                    json.field("modified", known.map { JSONWriter.time($0.lastModified) })
                    json.field("readOnly", known?.isReadOnly ?? true)
                    json.array("items", rows.compactMap { $0 }) { $0.song($1) }
                }
            }
        },
    ]
}

extension JSONWriter {
    /// Writes a playlist without its entries, which are counted only where it is opened.
    mutating func playlist(_ playlist: StoredPlaylist) {
        object { json in
            json.field("name", playlist.name)
            json.field("songs", Int?.none)
            json.field("duration", Duration?.none)
            json.field("modified", Self.time(playlist.lastModified))
            json.field("readOnly", playlist.isReadOnly)
        }
    }
}
