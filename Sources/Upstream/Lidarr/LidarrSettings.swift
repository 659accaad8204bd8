package import MusicModel

/// The `[lidarr]` section: where Lidarr is, and what it does with new artists.
package struct LidarrSettings: Hashable, Sendable {
    /// The address, with the URL base where it has one, without a slash at the end.
    package var url: String
    /// The key of its API, which is sent to that address only.
    package var key: Secret
    /// Absolute path of the file that the key comes from; nil when it comes from elsewhere.
    package var keyFile: String?
    /// The path of the root folder for new artists; nil is the only one, or the first that Lidarr can reach.
    package var rootFolder: String?
    /// The name of the quality profile for new artists; nil is the root folder's own.
    package var qualityProfile: String?
    /// The name of the metadata profile for new artists; nil is the root folder's own.
    package var metadataProfile: String?
    /// How long an answer may take. Searches go through Lidarr's metadata service, which is slow at times.
    package var timeout = Duration.seconds(30)
    /// How often the state of open requests is polled while a page shows them.
    package var shownInterval = Duration.seconds(5)
    /// How often it is polled otherwise.
    package var interval = Duration.seconds(60)

    /// Names a server and its key.
    package init(url: String, key: Secret) { (self.url, self.key) = (url, key) }
}
