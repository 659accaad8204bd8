import LibraryIndex
import MPDCommands
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

/// Artists that the library's server finds like one; asked for by themselves, since the server may take its time.
enum SimilarArtistsResource {
    static let routes = [
        Route(.GET, "/api/artists/{id}/similar") { request in
            let library = request.api.rows.library
            let artist = try await ArtistsResource.artist(request).artist
            let names = await request.api.parts.facts.similarArtists(artist.name)
            // The server may have taken seconds, and the library be another one by now.
            let catalog = try await library.index.catalog()
            let marks = try await library.shownMarks(of: .artist)
            let found = names.map { (name: $0, artist: catalog.artist(named: $0)) }
            return .json(capacity: 256 * names.count) { json in
                json.object { json in
                    json.array("items", found.compactMap(\.artist)) { json, artist in
                        json.artist(artist, catalog, marks[artist.name])
                    }
                    json.array("others", found.filter { $0.artist == nil }) { json, one in
                        json.value(one.name.prefix(utf8: maxNameLength))
                    }
                }
            }
        }
    ]

    /// Bytes of a name that leads nowhere.
    private static let maxNameLength = 200
}
