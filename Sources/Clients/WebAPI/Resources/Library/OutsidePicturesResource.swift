import LibraryIndex
import NIOHTTP1
import UserLibrary
import WebServer

/// Pictures of stations, and of albums that aren't here yet. Only this machine asks others for them.
enum OutsidePicturesResource {
    static let routes = [
        Route(.GET, "/picture/{key}/{size}") { request in
            try await answer(request, try PictureResource.size(request))
        }
    ]

    /// The picture that a request's key stands for.
    static func answer(_ request: APIRequest, _ size: Int) async throws -> HTTPResponse {
        guard let picture = try await source(request.parameter("key"), request) else { return PictureResource.missing }
        let found = try await request.api.parts.facts.outsidePicture(picture, size)
        return try await PictureResource.answer(found, request)
    }

    /// By what the picture of a station is fetched; it moves when the picture does. Nil without one.
    static func key(of station: Station) -> String? {
        guard let picture = station.picture else { return nil }
        return "station-\(station.id)-\(SongRows.name(Catalog.stationID(picture.text)).suffix(8))"
    }

    /// By what the picture of an album that can be requested is fetched.
    static func key(ofAlbum id: String) -> String { "album-\(id)" }

    private static func source(_ key: String, _ request: APIRequest) async throws -> OutsidePicture? {
        let parts = key.split(separator: "-", maxSplits: 1).map(String.init)
        switch (parts.first, parts.last) {
        case ("station", let rest?) where parts.count == 2:
            let station = try await StationsResource.station(String(rest.prefix { $0 != "-" }), request)
            return station.picture.map { .station($0) }
        case ("album", let id?) where parts.count == 2:
            return await request.api.parts.requests?.picture(of: id).map { .album($0) }
        default: return nil
        }
    }
}
