import LibraryIndex
import MPDCommands
import MPDProtocol
import MusicModel
import NIOHTTP1
import ServerLoop
import UserLibrary
import WebServer

/// Stars and ratings. They are stickers, which MPD leaves to `admin`; here `control` is enough, as a playlist needs no
/// more.
enum MarksResource {
    static let routes = ["songs", "albums", "artists"].flatMap { kind in
        [
            Route(.PUT, "/api/\(kind)/{id}/star", .control) { request in
                guard let isStarred = try request.body()["starred"]?.bool else {
                    throw APIError.wrong("starred", "Say whether, with \"starred\" as true or false.")
                }
                try await set("like", isStarred ? "2" : nil, kind, request)
                return .done
            },
            Route(.PUT, "/api/\(kind)/{id}/rating", .control) { request in
                let body = try request.body()
                let rating = body["rating"]?.integer
                guard case .object(let fields) = body, let given = fields["rating"],
                    given == .null || rating.map({ (0...10).contains($0) }) == true
                else { throw APIError.wrong("rating", "A rating is a whole number from 0 to 10, or null for none.") }
                try await set("rating", rating == 0 ? nil : rating.map { String($0) }, kind, request)
                return .done
            },
        ]
    }

    private static func set(_ name: String, _ value: String?, _ kind: String, _ request: APIRequest) async throws {
        let (type, object) = try await subject(kind, request)
        let command =
            value.map { ["sticker", "set", type, object, name, $0] } ?? ["sticker", "delete", type, object, name]
        do {
            try await request.run([command], with: .everything)
        } catch let error as APIError where value == nil && error.code == .noExist {
            // Nothing was marked.
        }
    }

    private static func subject(_ kind: String, _ request: APIRequest) async throws -> (type: String, object: String) {
        if kind == "songs" { return ("song", try await SongsResource.row(request).song.uri) }
        let catalog = try await request.api.rows.library.index.catalog()
        let id = SongRows.id(request.parameter("id"))
        if kind == "albums", let album = id.flatMap({ catalog.album(id: $0) }) { return ("Album", album.title) }
        if kind == "artists", let artist = id.flatMap({ catalog.artist(id: $0) }) { return ("Artist", artist.name) }
        throw APIError.missing(kind == "albums" ? "There is no such album." : "There is no such artist.")
    }
}
