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
                // One that was made anew meanwhile under another name is no fault.
                guard let items = try? await rows.library.storedPlaylist(name), let first = items.first else {
                    continue
                }
                let cover = try await rows.rows(of: [first]).first.flatMap { $0?.cover }
                mixes.append((name, items.count, cover))
            }
            return .json { json in
                json.object { json in
                    json.field("total", mixes.count)
                    json.array("items", mixes) { json, mix in
                        json.object { json in
                            json.field("name", mix.name)
                            // Names stand in brackets, so that no user's own playlist is called so.
                            json.field("title", mix.name.trimmingPrefix("[").description.trimmingSuffix("]"))
                            json.field("songs", mix.songs)
                            json.field("cover", mix.cover)
                        }
                    }
                }
            }
        }
    ]
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String { last == suffix ? String(dropLast()) : self }
}
