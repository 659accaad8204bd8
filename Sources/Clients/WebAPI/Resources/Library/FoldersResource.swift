import LibraryIndex
import MPDProtocol
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

enum FoldersResource {
    static let routes = [
        Route(.GET, "/api/folders") { request in
            let (start, count) = try request.window()
            let path = request.http.query["path"] ?? ""
            let answers = try await request.run([["lsinfo", path.isEmpty ? "/" : path]])
            let all = FoldersResource.entries(answers.first?.pairs ?? [], atRoot: path.isEmpty)
            let entries = SearchWords(request.http.query["q"]).narrowing(all, by: \.name)
            let part = entries.dropFirst(start).prefix(count)
            let index = request.api.rows.library.index
            var songs: [String: SongRow] = [:]
            for case .song(let uri) in part {
                guard let id = try await index.song(at: uri)?.id,
                    let row = try await request.api.rows.rows(of: [.song(id)]).first ?? nil
                else { continue }
                songs[uri] = row
            }
            let found = songs
            return .object(capacity: 256 * part.count) { json in
                json.field("path", path)
                json.field("total", entries.count)
                json.objects("items", part) { $1.write(to: &$0, found) }
            }
        }
    ]

    private enum Entry {
        case folder(String)
        case song(String)
        case playlist(String)

        var name: String {
            switch self {
            case .folder(let path), .song(let path), .playlist(let path):
                String(path.pathName)
            }
        }

        func write(to json: inout JSONWriter, _ songs: [String: SongRow]) {
            switch self {
            case .folder(let path): place("folder", path, &json)
            case .playlist(let path): place("playlist", path, &json)
            case .song(let uri):
                json.field("kind", "song")
                json.songFields(songs[uri] ?? SongRow(song: Song(uri: uri)))
            }
        }

        private func place(_ kind: String, _ path: String, _ json: inout JSONWriter) {
            json.field("kind", kind)
            json.field("name", name)
            json.field("path", path)
        }
    }

    /// Stored playlists, which the root also shows to MPD's clients, are a separate resource.
    private static func entries(_ pairs: [(key: String, value: String)], atRoot: Bool) -> [Entry] {
        pairs.compactMap { key, value in
            switch key {
            case "directory": .folder(value)
            case "file": .song(value)
            case "playlist": atRoot && !value.hasSlash ? nil : .playlist(value)
            default: nil
            }
        }
    }
}
