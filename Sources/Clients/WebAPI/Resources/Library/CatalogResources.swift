import LibraryIndex
import MPDCommands
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

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
                tag: tag, total: indices.count, letters: letters, generation: catalog.generation
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

enum ArtistsResource {
    static let routes = [
        Route(.GET, "/api/artists") { request in
            let (start, count) = try request.window()
            let library = request.api.rows.library
            let catalog = try await library.index.catalog()
            let tag = ListAnswer.tag(catalog.generation, marks: await request.api.feed.markClock, request)
            if let known = ListAnswer.known(request, tag) { return known }
            let marks = try await library.shownMarks(of: .artist)
            let starred = try request.wantsStarred() ? Set(marks.filter(\.value.isStarred).keys) : nil
            let indices = catalog.artistPlaces(words: APIRequest.words(request.http.query["q"]), names: starred)
            let letters = catalog.artistLetters(indices)
            return ListAnswer.make(
                tag: tag, total: indices.count, letters: letters, generation: catalog.generation
            ) { json in
                for index in indices.dropFirst(start).prefix(count) {
                    let artist = catalog.artists[index]
                    json.artist(artist, catalog, marks[artist.name])
                }
            }
        },
        Route(.GET, "/api/artists/{id}") { request in
            let library = request.api.rows.library
            let (artist, catalog) = try await artist(request)
            let own = try await library.shownMarks(of: .artist)[artist.name]
            let marks = try await library.albumMarks()
            return .object(capacity: 256 * artist.albums.count) { json in
                json.artistFields(artist, catalog, own)
                json.array("albums", artist.albums) { json, index in
                    let album = catalog.albums[index]
                    json.album(album, catalog, marks[album])
                }
            }
        },
    ]

    static func artist(_ request: APIRequest) async throws -> (artist: Catalog.Artist, catalog: Catalog) {
        let catalog = try await request.api.rows.library.index.catalog()
        guard let artist = SongRows.id(request.parameter("id")).flatMap({ catalog.artist(id: $0) }) else {
            throw APIError.missing("There is no such artist.")
        }
        return (artist, catalog)
    }
}

extension JSONWriter {
    mutating func artist(_ artist: Catalog.Artist, _ catalog: Catalog, _ marks: ShownMarks?) {
        object { json in
            json.artistFields(artist, catalog, marks)
            json.field("albums", artist.albums.count)
        }
    }

    /// Writes an artist's fields into the object that is open; `albums` is a number in lists and a list for one artist.
    mutating func artistFields(_ artist: Catalog.Artist, _ catalog: Catalog, _ marks: ShownMarks?) {
        field("id", SongRows.name(artist.id))
        field("name", artist.name)
        field("sort", artist.name)
        field("albumCount", artist.albums.count)
        field("songs", artist.songs)
        field("cover", artist.albums.last.map { SongRows.cover(catalog.albums[$0]) })
        field("starred", marks?.isStarred ?? false)
        field("rating", marks?.rating)
    }
}

/// Artists that the library's server considers similar; a separate request, as the server may be slow.
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
            return .object(capacity: 256 * names.count) { json in
                json.array("items", found.compactMap(\.artist)) { json, artist in
                    json.artist(artist, catalog, marks[artist.name])
                }
                json.array("others", found.filter { $0.artist == nil }) { json, one in
                    json.value(one.name.prefix(utf8: maxNameLength))
                }
            }
        }
    ]

    /// Bytes of a name that leads nowhere.
    private static let maxNameLength = 200
}

enum SongsResource {
    static let routes = [
        Route(.GET, "/api/songs") { request in
            let (start, count) = try request.window()
            let query = try await request.catalogQuery(default: .title, isOfAlbums: false)
            let index = request.api.rows.library.index
            let generation = try await index.catalog().generation
            let tag = ListAnswer.tag(generation, marks: await request.api.feed.markClock, request)
            if let known = ListAnswer.known(request, tag) { return known }
            let found = try await index.songs(query, in: start..<start + count, withLetters: true)
            let rows = try await request.api.rows.rows(of: found.songs.map { .song($0) })
            return ListAnswer.make(
                tag: tag, total: found.total, letters: found.letters, generation: generation
            ) { json in for row in rows.compactMap({ $0 }) { json.song(row) } }
        },
        Route(.GET, "/api/songs/{id}") { request in
            let row = try await row(request)
            return .json { $0.song(row) }
        },
    ]

    static func row(_ request: APIRequest) async throws -> SongRow {
        guard let id = Int64(request.parameter("id")), id > 0,
            let row = try await request.api.rows.rows(of: [.song(SongID(rawValue: id))]).first ?? nil
        else { throw APIError.missing("There is no such song.") }
        return row
    }
}

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
                tag: tag, total: genres.count, letters: letters, generation: catalog.generation
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

enum DecadesResource {
    static let routes = [
        Route(.GET, "/api/decades") { request in
            let catalog = try await request.api.rows.library.index.catalog()
            let tag = ListAnswer.tag(catalog.generation, marks: 0, request)
            if let known = ListAnswer.known(request, tag) { return known }
            var albums: [Int: Int] = [:]
            for album in catalog.albums where album.year > 0 { albums[album.year / 10 * 10, default: 0] += 1 }
            return ListAnswer.make(tag: tag, total: albums.count, generation: catalog.generation) { json in
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
