import MusicModel
import WebAPI

/// The members of Lidarr's answers that are read, named as in its openapi.json. All of it comes from outside.
enum LidarrResource {
    struct SystemStatus: Decodable {
        var appName, version: String?
    }

    struct Artist: Decodable {
        var id: Int?
        var artistName, foreignArtistId: String?
    }

    struct Statistics: Decodable {
        var trackFileCount, trackCount: Int?
    }

    struct Album: Decodable {
        var id, artistId: Int?
        var title, disambiguation, foreignAlbumId, albumType, releaseDate, remoteCover: String?
        var monitored: Bool?
        var statistics: Statistics?
        var artist: Artist?
        var images: [Image]?
    }

    struct Image: Decodable {
        var coverType, remoteUrl: String?
    }

    struct SearchResult: Decodable {
        var album: Album?
        var artist: Artist?
    }

    struct RootFolder: Decodable {
        var path: String?
        var accessible: Bool?
        var defaultQualityProfileId, defaultMetadataProfileId: Int?
    }

    struct Profile: Decodable {
        var id: Int?
        var name: String?
    }

    struct StatusMessage: Decodable {
        var title: String?
        var messages: [String]?
    }

    struct QueueItem: Decodable {
        var albumId: Int?
        var size, sizeleft: Double?
        var trackedDownloadState, trackedDownloadStatus, errorMessage: String?
        var statusMessages: [StatusMessage]?
    }

    /// One of the complaints with which Lidarr refuses a resource.
    struct ValidationFailure: Decodable {
        var errorMessage, errorCode: String?
    }

    /// How Lidarr words any other failure.
    struct Failure: Decodable {
        var message: String?
    }
}

extension RequestedAlbum {
    /// In bytes. Texts are cut to what a row of a page can show; Lidarr's sources are open to everybody.
    static let maxTextLength = 500
    private static let maxNoteLength = 200

    /// Reads an album of an answer; nil for one without an id or a title.
    init?(_ album: LidarrResource.Album, artist: String? = nil) {
        guard let id = album.foreignAlbumId, Self.isID(id), let title = album.title, !title.isEmpty else { return nil }
        let songs = album.statistics.flatMap { Songs($0) }
        let state: State =
            if (album.id ?? 0) <= 0 {
                .new
            } else if let songs, songs.have >= songs.total {
                .here
            } else {
                album.monitored == true ? .asked : .missing
            }
        self.init(
            id: id.lowercased(), title: title.prefix(utf8: Self.maxTextLength),
            artist: (album.artist?.artistName ?? artist ?? "").prefix(utf8: Self.maxTextLength), state: state)
        self.songs = songs
        // Apart from the title, by which the album is found in the library.
        note = album.disambiguation.flatMap { $0.isEmpty ? nil : $0.prefix(utf8: Self.maxNoteLength) }
        year = album.releaseDate.flatMap { Int($0.prefix(4)) }.flatMap { (1000...9999).contains($0) ? $0 : nil }
        kind = album.albumType.map { $0.prefix(utf8: 40) }
        // Lists of an artist's albums name pictures in another way than searches.
        let cover = album.remoteCover ?? album.images?.first { $0.coverType?.lowercased() == "cover" }?.remoteUrl
        picture = cover.flatMap { $0.hasPrefix("https://") && $0.utf8.count <= 1000 ? $0 : nil }
    }

    /// True if a text is an id of MusicBrainz, which goes into addresses as it is.
    static func isID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// Adds what Lidarr's queue of downloads says.
    mutating func take(_ items: [LidarrResource.QueueItem]) {
        percent = nil
        problem = nil
        guard state != .here, let item = items.first(where: { Self.isTrouble($0) }) ?? items.first else { return }
        if Self.isTrouble(item) {
            state = .failed
            let words = item.errorMessage ?? item.statusMessages?.first.flatMap { $0.messages?.first ?? $0.title }
            problem = words.map { $0.prefix(utf8: Self.maxTextLength) }
        } else if ["importPending", "importing"].contains(item.trackedDownloadState) {
            state = .importing
        } else {
            state = .loading
        }
        let sizes = items.reduce(into: (all: 0.0, left: 0.0)) {
            $0.all += max(0, $1.size ?? 0)
            $0.left += max(0, $1.sizeleft ?? 0)
        }
        if sizes.all > 0, sizes.all.isFinite, sizes.left.isFinite {
            percent = Int(max(0, min(100, 100 - 100 * sizes.left / sizes.all)))
        }
    }

    private static func isTrouble(_ item: LidarrResource.QueueItem) -> Bool {
        item.trackedDownloadStatus == "error"
            || ["importBlocked", "importFailed", "downloadFailed", "downloadFailedPending"]
                .contains(item.trackedDownloadState)
    }
}

extension RequestedAlbum.Songs {
    /// Reads the counts of an answer; nil where it counts nothing.
    init?(_ statistics: LidarrResource.Statistics) {
        guard let total = statistics.trackCount, total > 0, total <= 100_000 else { return nil }
        self.init(have: max(0, min(total, statistics.trackFileCount ?? 0)), total: total)
    }
}
