import Coordination
import LibraryIndex
import MPDCommands
import MusicModel
import NIOCore
import NIOHTTP1
import UserLibrary
import WebServer

/// Pictures of albums, in a few sizes, so that no client can fill the cache with all there could be.
enum PictureResource {
    static let routes = [
        Route(.GET, "/cover/{key}/{size}") { request in
            let size = try size(request)
            // The key moves with the picture, so a client that has one has the right one.
            if request.http.headers.contains(name: "if-none-match") { return unchanged }
            // A station that plays is asked for its picture like any song.
            if request.parameter("key").hasPrefix("station-") {
                return try await OutsidePicturesResource.answer(request, size)
            }
            guard let song = try await song(request.parameter("key"), request) else { return missing }
            return try await answer(try await request.api.parts.facts.picture(song, size), request)
        }
    ]

    static func size(_ request: APIRequest) throws(APIError) -> Int {
        guard let size = Int(request.parameter("size")), sizes.contains(size) else {
            throw APIError.missing("Pictures have the sizes 96, 320, 640 and 1280.")
        }
        return size
    }

    /// Hands a picture on, if it is one. Memory for a large one is set aside until its client has it.
    static func answer(
        _ picture: (bytes: [UInt8], mimeType: String?)?, _ request: APIRequest
    ) async throws -> HTTPResponse {
        guard let picture, let type = PictureType(picture.bytes) else { return missing }
        let budget = request.api.rows.library.memoryBudget
        let size = picture.bytes.count
        let room = size > maxUnasked ? try await budget.reserve(size, for: "a picture") : nil
        var answer = HTTPResponse(.ok, ByteBuffer(bytes: picture.bytes), type: type.rawValue, headers: kept)
        answer.headers.add(name: "etag", value: "\"\(request.parameter("key"))\"")
        answer.held = room
        return answer
    }

    /// As large as pictures are that were made smaller here; all connections together hold 64 MiB of these.
    private static let maxUnasked = 256 << 10

    private static let kept: HTTPHeaders = ["cache-control": "private, max-age=31536000, immutable"]

    private static var unchanged: HTTPResponse { HTTPResponse(.notModified, headers: kept) }

    private static let sizes: Set = [96, 320, 640, 1280]

    /// Nothing, for an hour.
    static var missing: HTTPResponse {
        var response = APIError.missing("There is no picture.").response
        response.headers.add(name: "cache-control", value: "private, max-age=3600")
        return response
    }

    /// The path of the song whose picture a key stands for; nil when it is gone.
    private static func song(_ key: String, _ request: APIRequest) async throws -> String? {
        let index = request.api.rows.library.index
        let name = key.prefix { $0 != "-" }
        let id: SongID?
        switch name.first {
        case "a":
            let catalog = try await index.catalog()
            id = SongRows.id(String(name.dropFirst())).flatMap { catalog.album(id: $0) }
                .flatMap { catalog.songs(of: $0).first }
        case "s": id = Int64(name.dropFirst()).map { SongID(rawValue: $0) }
        default: id = nil
        }
        guard let id else { return nil }
        return (try await index.songs([id]).first ?? nil)?.uri
    }
}

/// The type of a picture by its first bytes, whatever a server calls it; nothing else is forwarded.
enum PictureType: String {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webp = "image/webp"
    case gif = "image/gif"
    case avif = "image/avif"

    private static let signatures: [(type: PictureType, offset: Int, bytes: [UInt8])] = [
        (.jpeg, 0, [0xFF, 0xD8, 0xFF]), (.png, 0, [0x89, 0x50, 0x4E, 0x47]), (.webp, 8, Array("WEBP".utf8)),
        (.gif, 0, Array("GIF8".utf8)), (.avif, 4, Array("ftypavi".utf8)),
    ]

    init?(_ bytes: [UInt8]) {
        let found = Self.signatures.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
        guard let found, found.type != .webp || bytes.starts(with: "RIFF".utf8) else { return nil }
        self = found.type
    }
}

/// Pictures of stations, and of albums that aren't here yet. Only this machine asks others for them.
enum OutsidePicturesResource {
    static let routes = [
        Route(.GET, "/picture/{key}/{size}") { request in
            try await answer(request, try PictureResource.size(request))
        }
    ]

    static func answer(_ request: APIRequest, _ size: Int) async throws -> HTTPResponse {
        guard let picture = try await source(request.parameter("key"), request) else { return PictureResource.missing }
        let found = try await request.api.parts.facts.outsidePicture(picture, size)
        return try await PictureResource.answer(found, request)
    }

    /// The key of a station's picture; it changes with the picture. Nil without one.
    static func key(of station: Station) -> String? {
        guard let picture = station.picture else { return nil }
        return "station-\(station.id)-\(SongRows.name(Catalog.stationID(picture.text)).suffix(8))"
    }

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
