import LibraryIndex
import MPDCommands
import MPDProtocol
import MusicModel
import NIOHTTP1
import Playback
import ServerLoop
import UserLibrary
import WebServer

enum QueueResource {
    static let routes = [
        Route(.GET, "/api/queue") { request in
            if request.http.query["since"] != nil { return try await changes(request) }
            let (start, count) = try request.window()
            let (entries, version) = try await snapshot(request)
            let window = start..<start + min(count, max(0, entries.count - start))
            let rows = try await request.api.rows.rows(of: entries, in: window)
            return .object(capacity: 512 * rows.count) { json in
                json.field("version", Int(version))
                json.field("length", entries.count)
                json.field("start", start)
                json.array("items", rows) { $0.queueRow($1) }
            }
        }
    ]

    @ServerActor
    private static func snapshot(_ request: APIRequest) throws -> (QueueEntries, UInt32) {
        let player = try request.partition().player
        return (player.entries, player.status.queueVersion)
    }

    /// Places that are other ones than at a version, in the whole queue unless a window is named.
    private static func changes(_ request: APIRequest) async throws -> HTTPResponse {
        let since = try request.number("since", default: 0, in: 0...Int(UInt32.max))
        let (start, count) = try request.window()
        let isWhole = request.http.query["start"] == nil && request.http.query["count"] == nil
        let window = isWhole ? 0..<Int(Int32.max) : start..<start + count
        let (entries, version, positions) = try await changed(request, since: UInt32(clamping: since), in: window)
        return .object(capacity: 32 * positions.count) { json in
            json.field("version", Int(version))
            json.field("length", entries.count)
            json.objects("changes", positions) { json, position in
                json.field("position", position)
                json.field("queueId", String(entries.id(at: position).rawValue))
                json.field("priority", entries[position].priority)
            }
        }
    }

    @ServerActor
    private static func changed(
        _ request: APIRequest, since: UInt32, in window: Range<Int>
    ) async throws -> (QueueEntries, UInt32, [Int]) {
        let player = try request.partition().player
        let positions = await player.changes(since: since, in: window.clamped(to: 0..<player.count))
        let entries = player.entries
        return (entries, player.status.queueVersion, positions.filter { $0 < entries.count })
    }
}

/// Songs to put into the queue, and their place.
struct QueueAddition {
    private enum What {
        case uris([String])
        case songs([SongID])
        case album(UInt64)
        case artist(UInt64)
        case genre(String)
        case playlist(String)
        case station(String)
    }

    private enum Position {
        case end
        case next
        case at(Int)
    }

    private let what: What
    private let position: Position
    /// True if everything else goes.
    let replaces: Bool
    let plays: Bool
    let version: Int?
    /// The `undo` of the edit that it continues; nil for a separate one.
    let undo: String?

    init(_ body: JSONValue) throws(APIError) {
        what = try Self.what(body)
        replaces = try body.bool("replace") ?? false
        plays = try body.bool("play") ?? false
        version = try body.version()
        undo = try body.text("undo")
        switch body["position"] {
        case nil, .text("end"): position = .end
        case .text("next"): position = .next
        case .number(let number):
            guard let index = Int(exactly: number), index >= 0 else { fallthrough }
            position = .at(index)
        default: throw .wrong("position", "The position is \"next\", \"end\" or a number from 0.")
        }
    }

    private static func what(_ body: JSONValue) throws(APIError) -> What {
        let (uris, songs) = (try body.uris(atMost: CommandRunner.limit), try body.songs(atMost: CommandRunner.limit))
        if let uris { return .uris(uris) }
        if let songs { return .songs(songs) }
        if let album = try body.text("album").flatMap(SongRows.id) { return .album(album) }
        if let artist = try body.text("artist").flatMap(SongRows.id) { return .artist(artist) }
        if let genre = try body.text("genre") { return .genre(genre) }
        if let playlist = try body.text("playlist") { return .playlist(playlist) }
        if let station = try body.text("station") { return .station(station) }
        if let folder = try body.text("folder") { return .uris([folder.isEmpty ? "/" : folder]) }
        throw .wrong("uris", "Say what, with one of uris, songs, album, artist, genre, playlist, station and folder.")
    }

    /// The place of the first song; nil at the end.
    @ServerActor
    func start(in player: Player) -> Int? {
        if replaces { return 0 }
        switch position {
        case .end: return nil
        case .next: return player.current.map { $0.position + 1 } ?? 0
        case .at(let position): return min(position, player.count)
        }
    }

    /// The commands that add it. Several of them are to be gathered in their order: each has the same place.
    func commands(_ request: APIRequest, at start: Int?) async throws -> [[String]] {
        let index = request.api.rows.library.index
        switch what {
        case .uris(let uris): return Self.additions(uris, at: start)
        case .songs(let ids):
            let uris = try await index.songs(ids).compactMap { $0?.uri }
            guard !uris.isEmpty else { throw APIError.missing("There is no such song.") }
            return Self.additions(uris, at: start)
        case .album(let id):
            let catalog = try await index.catalog()
            guard let album = catalog.album(id: id) else { throw APIError.missing("There is no such album.") }
            return Self.additions(try await index.songs(catalog.songs(of: album)).compactMap { $0?.uri }, at: start)
        case .artist(let id):
            let catalog = try await index.catalog()
            guard let artist = catalog.artist(id: id) else { throw APIError.missing("There is no such artist.") }
            let songs = artist.albums.flatMap { catalog.songs(of: catalog.albums[$0]) }
            guard songs.count <= CommandRunner.limit else {
                return [Self.search("AlbumArtist", artist.name, at: start)]
            }
            return Self.additions(try await index.songs(songs).compactMap { $0?.uri }, at: start)
        case .genre(let name): return [Self.search("Genre", name, at: start)]
        case .playlist(let name): return [["load", name, "0:"] + (start.map { [String($0)] } ?? [])]
        case .station(let id): return Self.additions([try await StationsResource.station(id, request).url], at: start)
        }
    }

    private static func additions(_ uris: [String], at start: Int?) -> [[String]] {
        let position = start.map { [String($0)] } ?? []
        return uris.map { ["add", $0] + position }
    }

    private static func search(_ tag: String, _ value: String, at start: Int?) -> [String] {
        let quoted = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return ["findadd", "(\(tag) == \"\(quoted)\")"] + (start.map { ["position", String($0)] } ?? [])
    }
}
