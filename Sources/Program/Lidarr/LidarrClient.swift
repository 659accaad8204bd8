import Foundation
import Logging
import MusicModel
import NIOHTTP1
import Subsonic
import WebAPI

/// Asks Lidarr: searches its catalogue, adds an album, and tells how far albums are. Every call throws
/// `AlbumRequestError`, or `CancellationError`.
struct LidarrClient: Sendable {
    static let maxResults = 60

    private let settings: LidarrSettings
    let connection: LidarrConnection

    init(_ settings: LidarrSettings, log: Logger) {
        self.settings = settings
        connection = LidarrConnection(settings, log: log)
    }

    /// Makes sure that Lidarr is there and takes the key; returns its version.
    func check() async throws -> String {
        let status = try await connection.get(LidarrResource.SystemStatus.self, "system/status")
        guard status.appName == "Lidarr" else {
            let name = (status.appName ?? "another program").quotable(utf8: 40)
            throw AlbumRequestError(.misconfigured, "\(name) answers at \(settings.url), not Lidarr.")
        }
        return (status.version ?? "").quotable(utf8: 40)
    }

    /// Searches the catalogue for albums, by their titles and artists.
    func search(_ words: String) async throws -> (albums: [RequestedAlbum], artists: [String]) {
        let results = try await connection.get([LidarrResource.SearchResult].self, "search", [("term", words)])
        var albums: [RequestedAlbum] = []
        var seen: Set<String> = []
        for result in results {
            guard albums.count < Self.maxResults else { break }
            guard let album = result.album.flatMap({ RequestedAlbum($0) }), seen.insert(album.id).inserted else {
                continue
            }
            albums.append(album)
        }
        return (albums, Self.artists(results))
    }

    /// Has Lidarr get an album; returns it as it is then.
    func request(_ id: String) async throws -> RequestedAlbum {
        let known = try await known(id)
        if let known, let number = known.id {
            let album = RequestedAlbum(known)
            if album?.state != .here { try await monitor(number) }
            return try asked(album)
        }
        let data = try await connection.getData("album/lookup", [("term", "lidarr:\(id)")])
        guard let albums = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]],
            let found = albums.first(where: { ($0["foreignAlbumId"] as? String)?.lowercased() == id }),
            let resources = try? JSONDecoder().decode([LidarrResource.Album].self, from: data),
            let resource = resources.first(where: { $0.foreignAlbumId?.lowercased() == id })
        else { throw AlbumRequestError(.notFound, "Lidarr's catalogue has no such album.") }
        let addition = try await addition(of: found, resource, id)
        do {
            try await connection.send(.POST, "album", addition)
        } catch let refusal as LidarrConnection.Refusal {
            // Adding the artist, by another client at the same time, brings the album along.
            guard refusal.failures.contains(where: { $0.errorCode == "AlbumExistsValidator" }),
                let number = try await self.known(id)?.id
            else { throw refusal.error }
            try await monitor(number)
        }
        return try asked(RequestedAlbum(resource))
    }

    /// How far an album is; nil when Lidarr does not have it any more.
    func state(of id: String) async throws -> RequestedAlbum? {
        guard let known = try await known(id), let number = known.id, var album = RequestedAlbum(known) else {
            return nil
        }
        if !album.isFinished {
            let items = try await connection.get(
                [LidarrResource.QueueItem].self, "queue/details", [("albumIds", "\(number)")])
            album.take(items.filter { $0.albumId == nil || $0.albumId == number })
        }
        return album
    }

    private func known(_ id: String) async throws -> LidarrResource.Album? {
        let albums = try await connection.get([LidarrResource.Album].self, "album", [("foreignAlbumId", id)])
        return albums.first { $0.foreignAlbumId?.lowercased() == id && ($0.id ?? 0) > 0 }
    }

    private func asked(_ album: RequestedAlbum?) throws(AlbumRequestError) -> RequestedAlbum {
        guard var album else { throw AlbumRequestError(.notFound, "Lidarr's catalogue has no such album.") }
        if album.state == .new || album.state == .missing { album.state = .asked }
        return album
    }

    private func monitor(_ number: Int) async throws {
        do {
            try await connection.send(.PUT, "album/monitor", ["albumIds": [number], "monitored": true])
            try await connection.send(.POST, "command", ["name": "AlbumSearch", "albumIds": [number]])
        } catch let refusal as LidarrConnection.Refusal { throw refusal.error }
    }

    /// The looked-up album with what makes Lidarr get it.
    ///
    /// A new artist comes with the album and never before it: an artist's first scan makes all of its albums, and this
    /// one could not be added any more. That scan also unmonitors albums that `albumsToMonitor` doesn't name.
    private func addition(
        of album: [String: Any], _ resource: LidarrResource.Album, _ id: String
    ) async throws -> [String: Any] {
        var album = album
        album["monitored"] = true
        if (resource.artist?.id ?? resource.artistId ?? 0) > 0 {
            album["addOptions"] = ["searchForNewAlbum": true]
        } else {
            guard var artist = album["artist"] as? [String: Any] else {
                throw AlbumRequestError(
                    .refused, "Lidarr's catalogue does not say whose album this is; try again later.")
            }
            let target = try await target()
            artist["qualityProfileId"] = target.quality
            artist["metadataProfileId"] = target.metadata
            artist["rootFolderPath"] = target.folder
            artist["monitored"] = true
            artist["monitorNewItems"] = "none"
            artist["addOptions"] = ["albumsToMonitor": [id], "searchForMissingAlbums": true] as [String: Any]
            album["artist"] = artist
        }
        return album
    }

    /// Where a new artist goes, as the configuration says or else Lidarr's root folder.
    private func target() async throws -> (folder: String, quality: Int, metadata: Int) {
        let folders = try await connection.get([LidarrResource.RootFolder].self, "rootfolder")
        let wanted = settings.rootFolder.map { wanted in
            folders.first { $0.path.map(Self.withoutSlash) == Self.withoutSlash(wanted) }
        }
        guard let folder = wanted ?? folders.first(where: { $0.accessible ?? true }), let path = folder.path else {
            throw AlbumRequestError(
                .misconfigured,
                settings.rootFolder.map { "Lidarr has no root folder \($0); correct root_folder under [lidarr]." }
                    ?? "Lidarr has no root folder that it can reach; add one in its settings, Media Management.")
        }
        return (
            path,
            try await profile("qualityprofile", settings.qualityProfile, folder.defaultQualityProfileId),
            try await profile("metadataprofile", settings.metadataProfile, folder.defaultMetadataProfileId)
        )
    }

    private func profile(_ path: String, _ name: String?, _ standard: Int?) async throws -> Int {
        if name == nil, let standard, standard > 0 { return standard }
        let profiles = try await connection.get([LidarrResource.Profile].self, path)
        let found = name.map { name in profiles.first { $0.name == name } } ?? profiles.first
        guard let id = found?.id else {
            let key = path == "qualityprofile" ? "quality_profile" : "metadata_profile"
            throw AlbumRequestError(
                .misconfigured, "Lidarr has no profile \(name ?? "at all"); correct \(key) under [lidarr].")
        }
        return id
    }

    private static func withoutSlash(_ path: String) -> Substring {
        path.count > 1 && path.hasSuffix("/") ? path.dropLast() : path[...]
    }
}

extension LidarrClient {
    /// The albums of an artist that are not here with all their songs, the newest first. Lidarr knows all albums of an
    /// artist whom it has; of others there are only those that a search of its catalogue finds.
    func missing(of name: String) async throws -> [RequestedAlbum] {
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
