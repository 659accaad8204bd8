import LibraryIndex
import MPDCommands
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

/// Artists: all of them in windows, and each with the albums.
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
                request, tag: tag, total: indices.count, letters: letters, generation: catalog.generation
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
