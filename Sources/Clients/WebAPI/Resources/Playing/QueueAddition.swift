import LibraryIndex
import MPDCommands
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

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

    private enum Place {
        case end
        case next
        case at(Int)
    }

    private let what: What
    private let place: Place
    /// Whether everything else goes.
    let replaces: Bool
    /// Whether it plays at once.
    let plays: Bool
    /// The version of the queue that it is for; nil for any.
    let version: Int?
    /// The `undo` of the edit that it goes on with; nil where it is one by itself.
    let undo: String?

    /// Reads a body.
    ///
    /// - Throws: `APIError` 400 for one that says nothing to add, or not where.
    init(_ body: JSONValue) throws(APIError) {
        what = try Self.what(body)
        replaces = try body.bool("replace") ?? false
        plays = try body.bool("play") ?? false
        version = try body.version()
        undo = try body.text("undo")
        switch body["position"] {
        case nil, .text("end"): place = .end
        case .text("next"): place = .next
        case .number(let number):
            guard let position = Int(exactly: number), position >= 0 else { fallthrough }
            place = .at(position)
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
        throw .wrong(
            "uris", "Say what, with one of uris, songs, album, artist, genre, playlist, station and folder.")
    }

    /// The place of the first song; nil at the end.
    @ServerActor
    func start(in player: Player) -> Int? {
        if replaces { return 0 }
        switch place {
        case .end: return nil
        case .next: return player.current.map { $0.position + 1 } ?? 0
        case .at(let position): return min(position, player.count)
        }
    }

    /// The commands that add it. Several of them are to be gathered in their order: each has the same place.
    ///
    /// - Throws: `APIError` 404 for what isn't there.
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
        let place = start.map { [String($0)] } ?? []
        return uris.map { ["add", $0] + place }
    }

    private static func search(_ tag: String, _ value: String, at start: Int?) -> [String] {
        let quoted = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return ["findadd", "(\(tag) == \"\(quoted)\")"] + (start.map { ["position", String($0)] } ?? [])
    }
}
