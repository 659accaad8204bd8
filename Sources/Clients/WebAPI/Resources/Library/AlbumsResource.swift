import LibraryIndex
import MPDCommands
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

/// Albums: all of them in windows, and each with its songs.
enum AlbumsResource {
    static let routes = [
        Route(.GET, "/api/albums") { request in
            let (start, count) = try request.window()
            let query = try await request.catalogQuery(default: .title, isOfAlbums: true)
            let library = request.api.rows.library
            let catalog = try await library.index.catalog()
            let tag = ListAnswer.tag(catalog.generation, marks: await request.api.feed.markClock, request)
            if let known = ListAnswer.known(request, tag) { return known }
            var genreSongs: SongSet?
            if let genre = query.genre { genreSongs = try await library.index.songs(with: genre, of: [.genre]) }
            let indices = catalog.places(query, genreSongs: genreSongs)
            let marks = try await library.albumMarks()
            let letters = catalog.albumLetters(query, indices)
            return ListAnswer.make(
                request, tag: tag, total: indices.count, letters: letters, generation: catalog.generation
            ) { json in
                for index in indices.dropFirst(start).prefix(count) {
                    let album = catalog.albums[Int(index)]
                    json.album(album, catalog, marks[album])
                }
            }
        },
        Route(.GET, "/api/albums/{id}") { request in
            let library = request.api.rows.library
            let (album, catalog) = try await album(request)
            let rows = try await request.api.rows.rows(of: catalog.songs(of: album).map { .song($0) })
            let marks = try await library.albumMarks()[album]
            return .object(capacity: 512 * rows.count) { json in
                json.albumFields(album, catalog, marks)
                json.array("items", rows.compactMap { $0 }) { $0.song($1) }
            }
        },
    ]

    static func album(_ request: APIRequest) async throws -> (album: Catalog.Album, catalog: Catalog) {
        let catalog = try await request.api.rows.library.index.catalog()
        guard let album = SongRows.id(request.parameter("id")).flatMap({ catalog.album(id: $0) }) else {
            throw APIError.missing("There is no such album.")
        }
        return (album, catalog)
    }
}

extension JSONWriter {
    mutating func album(_ album: Catalog.Album, _ catalog: Catalog, _ marks: ShownMarks) {
        object { $0.albumFields(album, catalog, marks) }
    }

    mutating func albumFields(_ album: Catalog.Album, _ catalog: Catalog, _ marks: ShownMarks) {
        field("id", SongRows.name(album.id))
        field("title", album.title)
        field("artist", album.artist)
        field("artistId", SongRows.name(catalog.artists[album.artistPlace].id))
        field("year", album.year == 0 ? nil : album.year)
        field("songs", album.songs.count)
        field("duration", album.duration)
        field("starred", marks.isStarred)
        field("rating", marks.rating)
        field("cover", SongRows.cover(album))
        field("added", album.added == 0 ? nil : Self.time(album.added))
    }
}
