import Foundation
import NIOHTTP1
import WebAPI

@testable import Lidarr

/// Reads any bytes as the answer of every call.
enum LidarrReading {
    /// Reads the bytes; what is no answer is passed over.
    ///
    /// - Returns: what broke a promise about albums or about the sentences for listeners; nil where all were kept.
    static func complaint(about bytes: [UInt8]) -> String? {
        let data = Data(bytes)
        let results = read([LidarrResource.SearchResult].self, data)
        let albums = read([LidarrResource.Album].self, data) + results.compactMap(\.album)
        let items = read([LidarrResource.QueueItem].self, data)
        var found = albums.compactMap { RequestedAlbum($0, artist: "Artist") }
        if !items.isEmpty, var loading = someAlbum {
            loading.take(items)
            found.append(loading)
        }
        _ = try? JSONDecoder().decode(LidarrResource.SystemStatus.self, from: data)
        _ = read([LidarrResource.RootFolder].self, data)
        _ = read([LidarrResource.Profile].self, data)
        return found.lazy.compactMap(complaint).first ?? complaintAboutArtists(results)
            ?? complaintAboutRefusals(data)
    }

    private static func read<Item: Decodable>(_ type: [Item].Type, _ data: Data) -> [Item] {
        (try? JSONDecoder().decode(type, from: data)) ?? []
    }

    /// One that Lidarr has and searches for.
    private static var someAlbum: RequestedAlbum? {
        RequestedAlbum(
            LidarrResource.Album(
                id: 3, title: "Blue", foreignAlbumId: "6a7f2c0e-3c77-4c0b-9d0e-0123456789ab", monitored: true))
    }

    private static func complaint(about album: RequestedAlbum) -> String? {
        let texts = [album.title, album.artist, album.note, album.kind, album.problem].compactMap(\.self)
        if let text = texts.first(where: { $0.utf8.count > RequestedAlbum.maxTextLength }) {
            return "a text of \(text.utf8.count) bytes"
        }
        if !RequestedAlbum.isID(album.id) { return "the id \(album.id)" }
        if let percent = album.percent, !(0...100).contains(percent) { return "\(percent) percent" }
        if let year = album.year, !(1000...9999).contains(year) { return "the year \(year)" }
        if let songs = album.songs, !(0...songs.total).contains(songs.have) { return "the songs \(songs)" }
        if let picture = album.picture, !picture.hasPrefix("https://") { return "the picture \(picture)" }
        // As the file of requests is written and read.
        guard let data = try? JSONEncoder().encode([album]),
            (try? JSONDecoder().decode([RequestedAlbum].self, from: data)) == [album]
        else { return "the album \(album) is not read as it was written" }
        return nil
    }

    private static func complaintAboutArtists(_ results: [LidarrResource.SearchResult]) -> String? {
        let names = LidarrClient.artists(results)
        let areShort = names.allSatisfy { $0.utf8.count <= RequestedAlbum.maxTextLength }
        return names.count <= 10 && areShort ? nil : "the artists \(names)"
    }

    private static func complaintAboutRefusals(_ data: Data) -> String? {
        for status in [HTTPResponseStatus.badRequest, .internalServerError] {
            let refusal = LidarrConnection.refusal(status, data, from: "http://lidarr")
            guard let error = (refusal as? LidarrConnection.Refusal)?.error ?? refusal as? AlbumRequestError else {
                return "no sentence for a refusal"
            }
            if error.description.utf8.count > 1000 { return "a sentence of \(error.description.utf8.count) bytes" }
        }
        return nil
    }
}
