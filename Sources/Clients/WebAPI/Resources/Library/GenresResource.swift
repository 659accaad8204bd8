import LibraryIndex
import MPDCommands
import NIOHTTP1
import UserLibrary
import WebServer

/// Genres with how much there is of each.
enum GenresResource {
    static let routes = [
        Route(.GET, "/api/genres") { request in
            let (start, count) = try request.window()
            let catalog = try await request.api.rows.library.index.catalog()
            let tag = ListAnswer.tag(catalog.generation, marks: 0, request)
            if let known = ListAnswer.known(request, tag) { return known }
            let genres = SearchWords(request.http.query["q"]).narrowing(catalog.genres, by: \.name)
            let letters = Catalog.letters(genres.lazy.map(\.name))
            return ListAnswer.make(
                request, tag: tag, total: genres.count, letters: letters, generation: catalog.generation
            ) { json in
                for genre in genres.dropFirst(start).prefix(count) { json.genre(genre) }
            }
        }
    ]
}

extension JSONWriter {
    mutating func genre(_ genre: Catalog.Genre) {
        object { json in
            json.field("name", genre.name)
            json.field("songs", genre.songs)
            json.field("albums", genre.albums)
        }
    }
}

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
