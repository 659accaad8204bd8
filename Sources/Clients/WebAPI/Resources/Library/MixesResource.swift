import LibraryIndex
import NIOHTTP1
import UserLibrary
import WebServer

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
                json.array("items", mixes) { json, mix in
                    json.object { json in
                        json.field("name", mix.name)
                        json.field("title", title(of: mix.name))
                        json.field("songs", mix.songs)
                        json.field("cover", mix.cover)
                    }
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
