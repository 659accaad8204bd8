import Foundation
import LibraryIndex
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

enum SearchResource {
    static let routes = [
        Route(.GET, "/api/search") { request in
            var query = CatalogQuery()
            query.sort = .relevance
            (query.words, query.filter) = try APIRequest.wanted(request.http.query["q"])
            let words = SearchWords(query.words)
            guard query.isFiltered else { throw APIError.wrong("q", "Say what to look for, with q.") }
            // An expression is about songs.
            let hasNames = !query.words.isEmpty
            let count = try request.number("count", default: 5, in: 1...100)
            let library = request.api.rows.library
            let catalog = try await library.index.catalog()
            let songs = try await library.index.songs(query, in: 0..<count, withLetters: false)
            let rows = try await request.api.rows.rows(of: songs.songs.map { .song($0) })
            let stations = hasNames ? words.ranked(try await library.stations(), by: \.name) : []
            let playlists = hasNames ? words.ranked(try await library.storedPlaylists(), by: \.name) : []
            let genres = hasNames ? words.ranked(catalog.genres, by: \.name) : []
            let albums = hasNames ? catalog.places(query, genreSongs: nil) : []
            let artists = hasNames ? catalog.artistPlaces(words: query.words, names: nil, sort: .relevance) : []
            return .object(capacity: 16 << 10) { json in
                group("artists", artists, count, &json) { $0.artist(catalog.artists[$1], catalog, nil) }
                group("albums", albums, count, &json) { $0.album(catalog.albums[Int($1)], catalog, ShownMarks()) }
                json.object("songs") { json in
                    json.field("total", songs.total)
                    json.array("items", rows.compactMap { $0 }) { $0.song($1) }
                }
                group("playlists", playlists, count, &json) { $0.playlist($1) }
                group("stations", stations, count, &json) { $0.station($1) }
                group("genres", genres, count, &json) { $0.genre($1) }
            }
        }
    ]

    private static func group<Item>(
        _ name: StaticString, _ items: [Item], _ count: Int, _ json: inout JSONWriter,
        _ body: (inout JSONWriter, Item) -> Void
    ) {
        json.object(name) { json in
            json.field("total", items.count)
            json.array("items", items.prefix(count)) { body(&$0, $1) }
        }
    }
}

/// The words by which a list of names is narrowed down.
struct SearchWords {
    private let words: [String]

    /// Reads the words of a question; none let everything through.
    init(_ text: String?) { self.init(APIRequest.words(text)) }
    init(_ words: [String]) { self.words = words }

    func narrowing<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        words.isEmpty
            ? items : items.filter { item in words.allSatisfy { name(item).localizedCaseInsensitiveContains($0) } }
    }

    /// The items that have all of the words in their names, those that fit best first.
    func ranked<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        Relevance(words).sorted(narrowing(items, by: name), by: name)
    }
}
