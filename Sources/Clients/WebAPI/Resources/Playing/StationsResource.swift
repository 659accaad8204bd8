import LibraryIndex
import MPDCommands
import MusicModel
import NIOHTTP1
import UserLibrary
import WebServer

enum StationsResource {
    static let routes = [
        Route(.GET, "/api/stations") { request in
            let (start, count) = try request.window()
            let stations = try await matching(SearchWords(request.http.query["q"]), request)
            return ListAnswer.make(tag: nil, total: stations.count) { json in
                for station in stations.dropFirst(start).prefix(count) { json.station(station) }
            }
        }
    ]

    static func matching(_ words: SearchWords, _ request: APIRequest) async throws -> [Station] {
        words.narrowing(try await request.api.rows.library.stations(), by: \.name)
    }

    static func station(_ id: String, _ request: APIRequest) async throws -> Station {
        let stations = try await request.api.rows.library.stations()
        guard let station = stations.first(where: { $0.id == id }) else {
            throw APIError.missing("There is no such station.")
        }
        return station
    }
}

extension Station {
    /// Its id in addresses; its stream's address would reveal credentials.
    var id: String { SongRows.name(Catalog.stationID(url)) }
}

extension JSONWriter {
    mutating func station(_ station: Station) {
        object { json in
            json.field("id", station.id)
            json.field("name", station.name)
            json.field("uri", Song(stream: station.url, tags: []).uri)
            json.field("picture", OutsidePicturesResource.key(of: station))
            json.field("country", station.country)
            json.field("genre", station.genre)
            json.field("homepage", station.homepage)
        }
    }
}
