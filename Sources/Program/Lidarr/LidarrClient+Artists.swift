import Foundation
import MusicModel
package import WebAPI

extension LidarrClient {
    /// The albums of an artist that are not here with all their songs, the newest first.
    ///
    /// Lidarr knows all albums of an artist whom it has; of others there are only those that a search of its catalogue
    /// finds.
    /// - Throws: `AlbumRequestError`, or `CancellationError`.
    package func missing(of name: String) async throws -> [RequestedAlbum] {
        let results = try await connection.get([LidarrResource.SearchResult].self, "search", [("term", name)])
        let found = results.lazy.compactMap { $0.artist ?? $0.album?.artist }.first {
            Self.isSame($0.artistName, name) && RequestedAlbum.isID($0.foreignArtistId ?? "")
        }
        guard let artist = found, let id = artist.foreignArtistId?.lowercased() else {
            throw AlbumRequestError(.notFound, "Lidarr's catalogue has no artist of this name.")
        }
        let known = try await connection.get([LidarrResource.Artist].self, "artist", [("mbId", id)])
            .first { $0.foreignArtistId?.lowercased() == id && ($0.id ?? 0) > 0 }
        var albums = results.compactMap(\.album).filter { $0.artist?.foreignArtistId?.lowercased() == id }
        if let number = known?.id {
            albums = try await connection.get([LidarrResource.Album].self, "album", [("artistId", "\(number)")])
        }
        var seen: Set<String> = []
        return
            albums.lazy
            .compactMap { RequestedAlbum($0, artist: artist.artistName) }
            .filter { $0.state != .here && seen.insert($0.id).inserted }
            .sorted { ($0.year ?? 0, $1.title) > ($1.year ?? 0, $0.title) }
            .prefix(Self.maxResults).map(\.self)
    }

    /// The names of the artists among the results of a search, each once.
    static func artists(_ results: [LidarrResource.SearchResult]) -> [String] {
        var names: [String] = []
        for name in results.lazy.compactMap({ $0.artist?.artistName }) where names.count < 10 {
            let name = name.prefix(utf8: RequestedAlbum.maxTextLength)
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        return names
    }

    private static func isSame(_ one: String?, _ other: String) -> Bool {
        one?.compare(other, options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]) == .orderedSame
    }
}
