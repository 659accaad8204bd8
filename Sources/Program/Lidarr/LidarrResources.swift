/// The members of Lidarr's answers that are read, named as in its openapi.json. All of it comes from outside.
enum LidarrResource {
    struct SystemStatus: Decodable {
        var appName: String?
        var version: String?
    }

    struct Artist: Decodable {
        var id: Int?
        var artistName: String?
        var foreignArtistId: String?
    }

    struct Statistics: Decodable {
        var trackFileCount: Int?
        var trackCount: Int?
    }

    struct Album: Decodable {
        var id: Int?
        var title: String?
        var disambiguation: String?
        var foreignAlbumId: String?
        var artistId: Int?
        var monitored: Bool?
        var albumType: String?
        var releaseDate: String?
        var remoteCover: String?
        var statistics: Statistics?
        var artist: Artist?
        var images: [Image]?
    }

    struct Image: Decodable {
        var coverType: String?
        var remoteUrl: String?
    }

    /// A result of a search: an album or an artist.
    struct SearchResult: Decodable {
        var album: Album?
        var artist: Artist?
    }

    struct RootFolder: Decodable {
        var path: String?
        var accessible: Bool?
        var defaultQualityProfileId: Int?
        var defaultMetadataProfileId: Int?
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
        var size: Double?
        var sizeleft: Double?
        var trackedDownloadState: String?
        var trackedDownloadStatus: String?
        var statusMessages: [StatusMessage]?
        var errorMessage: String?
    }

    /// One of the complaints with which Lidarr refuses a resource.
    struct ValidationFailure: Decodable {
        var propertyName: String?
        var errorMessage: String?
        var errorCode: String?
    }

    /// How Lidarr words any other failure.
    struct Failure: Decodable {
        var message: String?
    }
}
