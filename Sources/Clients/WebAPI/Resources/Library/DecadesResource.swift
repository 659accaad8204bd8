import LibraryIndex
import NIOHTTP1
import UserLibrary
import WebServer

/// The decades in which the library has albums.
enum DecadesResource {
    static let routes = [
        Route(.GET, "/api/decades") { request in
            let catalog = try await request.api.rows.library.index.catalog()
            let tag = ListAnswer.tag(catalog.generation, marks: 0, request)
            if let known = ListAnswer.known(request, tag) { return known }
            var albums: [Int: Int] = [:]
            for album in catalog.albums where album.year > 0 { albums[album.year / 10 * 10, default: 0] += 1 }
            return ListAnswer.make(request, tag: tag, total: albums.count, generation: catalog.generation) { json in
                for (decade, count) in albums.sorted(by: { $0.key > $1.key }) {
                    json.object { json in
                        json.field("decade", decade)
                        json.field("albums", count)
                    }
                }
            }
        }
    ]
}
