import LibraryIndex
import MPDProtocol
import NIOHTTP1
import UserLibrary
import WebServer

/// Albums that the library lacks: found in a catalogue, requested, and on their way.
enum RequestsResource {
    static let routes = [
        Route(.GET, "/api/requests") { request in
            let albums = try await requests(request).list()
            return try await answer(albums, request)
        },
        Route(.GET, "/api/requests/search", .control) { request in
            let words = (request.http.query["q"] ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard (2...200).contains(words.count) else { throw APIError.wrong("q", "Search for 2 to 200 characters.") }
            let (albums, artists) = try await asking { try await requests(request).search(words) }
            return try await answer(albums, request, artists: artists)
        },
        Route(.GET, "/api/requests/missing", .control) { request in
            let name = request.http.query["artist"] ?? ""
            guard (1...200).contains(name.count), name.contains(where: { !$0.isWhitespace }) else {
                throw APIError.wrong("artist", "It needs the name of an artist, of at most 200 characters.")
            }
            return try await answer(try await asking { try await requests(request).missing(of: name) }, request)
        },
        Route(.POST, "/api/requests", .control) { request in
            let id = try await request.body().required("album", "It needs the id of an album that a search has found.")
            let by = request.client.session?.name ?? ""
            let album = try await asking { try await requests(request).request(id, by: by) }
            return HTTPResponse.json(.created) { $0.requestedAlbum(album, nil) }
        },
    ]

    /// - Throws: `APIError` 404 where nothing takes requests.
    private static func requests(_ request: APIRequest) throws(APIError) -> any AlbumRequesting {
        guard let requests = request.api.parts.requests else {
            throw APIError.missing("Nothing can be requested here; [lidarr] in the configuration allows it.")
        }
        return requests
    }

    private static func answer(
        _ albums: [RequestedAlbum], _ request: APIRequest, artists: [String] = []
    ) async throws -> HTTPResponse {
        let index = request.api.rows.library.index
        let catalog = albums.contains { $0.state == .here } ? try await index.catalog() : nil
        return .object(capacity: 512 * albums.count) { json in
            json.field("total", albums.count)
            json.field("artists", artists)
            json.array("items", albums) { json, album in
                // The catalogue's names of artists and albums are MusicBrainz's, as those of most tags are.
                let known = album.state == .here ? catalog?.album(titled: album.title, by: album.artist) : nil
                json.requestedAlbum(album, known.map { SongRows.name($0.id) })
            }
        }
    }

    private static func asking<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do { return try await body() } catch let error as AlbumRequestError {
            let sentence = error.description
            switch error.code {
            case .unavailable, .misconfigured: throw APIError(.serviceUnavailable, code: .system, sentence)
            case .notFound: throw APIError.missing(sentence)
            case .refused: throw APIError(.conflict, code: .exist, sentence)
            case .tooMany: throw APIError(.tooManyRequests, code: .system, sentence)
            }
        }
    }
}

extension JSONWriter {
    /// Writes an album that can be requested; `album` is its id in the library, once it is there.
    mutating func requestedAlbum(_ requested: RequestedAlbum, _ album: String?) {
        object { json in
            json.field("id", requested.id)
            json.field("title", requested.title)
            json.field("note", requested.note)
            json.field("artist", requested.artist)
            json.field("year", requested.year)
            json.field("picture", requested.picture.map { _ in OutsidePicturesResource.key(ofAlbum: requested.id) })
            json.field("kind", requested.kind)
            json.field("state", requested.state.rawValue)
            json.field("have", requested.songs?.have)
            json.field("songs", requested.songs?.total)
            json.field("percent", requested.percent)
            json.field("sentence", requested.problem)
            json.field("requested", requested.requested.map(Self.time))
            json.field("by", requested.by)
            json.field("albumId", album)
        }
    }
}
