import LibraryIndex
import MPDCommands
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

/// Songs: all of them in windows, and single ones.
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
                request, tag: tag, total: found.total, letters: found.letters, generation: generation
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
