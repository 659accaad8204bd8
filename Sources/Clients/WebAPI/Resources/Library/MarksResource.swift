import LibraryIndex
import MPDCommands
import MPDProtocol
import MusicModel
import NIOHTTP1
import UserLibrary

/// Stars and ratings: stickers, which MPD leaves to `admin`; here `control` is enough, as for a playlist.
enum MarksResource {
    static let routes =
        single + [
            Route(.PUT, "/api/songs/star", .control) { request in
                let body = try await request.body()
                guard let isStarred = try body.bool("starred") else {
                    throw APIError.wrong("starred", "Say whether, with \"starred\" as true or false.")
                }
                guard let ids = try body.songs(atMost: maxAtOnce) else {
                    throw APIError.wrong("songs", "songs is a list of ids, of \(maxAtOnce) at most.")
                }
                let songs = try await request.api.rows.library.index.songs(ids)
                for case let song? in songs {
                    try await set("like", isStarred ? "2" : nil, ("song", song.uri), request)
                }
                return .done
            }
        ]

    private static let maxAtOnce = 1000

    private static let single = ["songs", "albums", "artists"].flatMap { kind in
        [
            Route(.PUT, "/api/\(kind)/{id}/star", .control) { request in
                guard let isStarred = try await request.body().bool("starred") else {
                    throw APIError.wrong("starred", "Say whether, with \"starred\" as true or false.")
                }
                try await mark("like", isStarred ? "2" : nil, kind, request)
                return .done
            },
            Route(.PUT, "/api/\(kind)/{id}/rating", .control) { request in
                let body = try await request.body()
                let rating = try body.integer("rating")
                guard case .object(let fields) = body, let given = fields["rating"],
                    given == .null || rating.map({ (0...10).contains($0) }) == true
                else { throw APIError.wrong("rating", "A rating is a whole number from 0 to 10, or null for none.") }
                try await mark("rating", rating == 0 ? nil : rating.map { String($0) }, kind, request)
                return .done
            },
        ]
    }

    private static func mark(_ name: String, _ value: String?, _ kind: String, _ request: APIRequest) async throws {
        switch kind {
        case "songs": try await set(name, value, ("song", try await SongsResource.row(request).song.uri), request)
        case "artists":
            try await set(name, value, ("Artist", try await ArtistsResource.artist(request).artist.name), request)
        default:
            let (album, catalog) = try await AlbumsResource.album(request)
            let change = AlbumMarkChange(name, to: value, of: album, in: catalog)
            guard try await request.api.rows.library.change(change) else { return }
            await request.api.parts.context.notify(.sticker, nil)
        }
    }

    private static func set(
        _ name: String, _ value: String?, _ subject: (type: String, object: String), _ request: APIRequest
    ) async throws {
        let (type, object) = subject
        let command =
            value.map { ["sticker", "set", type, object, name, $0] } ?? ["sticker", "delete", type, object, name]
        do {
            try await request.run([command], with: .everything)
        } catch let error as APIError where value == nil && error.code == .noExist {
            // Nothing was marked.
        }
    }
}
