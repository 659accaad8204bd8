import MusicModel
import SegueConfiguration

/// The `[lidarr]` section: where Lidarr is, and what it does with new artists.
struct LidarrSettings: ExtensionSection {
    static let name = "lidarr"
    /// The address, with the URL base where it has one, without a slash at the end.
    var url: String
    /// The key of its API, which is sent to that address only.
    var key: Secret
    /// The path of the root folder for new artists; nil is the only one, or the first that Lidarr can reach.
    var rootFolder: String?
    /// The names of the profiles for new artists; nil are the root folder's own.
    var qualityProfile, metadataProfile: String?
    /// How long an answer may take. Searches go through Lidarr's metadata service, which is slow at times.
    var timeout = Duration.seconds(30)
    /// How often the state of open requests is polled while a page shows them.
    var shownInterval = Duration.seconds(5)
    /// How often it is polled otherwise.
    var interval = Duration.seconds(60)

    init(url: String, key: Secret) { (self.url, self.key) = (url, key) }

    init?(reading section: inout SectionReader) {
        let url = section.required("url", .serverURL, example: "url = \"http://127.0.0.1:8686\"")
        let key = section.secret("api_key", orCredential: "lidarr-api-key")
        self.init(url: url ?? "", key: key ?? Secret(""))
        section.read("root_folder", .text("the path of one of Lidarr's root folders"), into: &rootFolder)
        section.read("quality_profile", .text("the name of one of Lidarr's quality profiles"), into: &qualityProfile)
        section.read(
            "metadata_profile", .text("the name of one of Lidarr's metadata profiles"), into: &metadataProfile)
        guard section.isPresent else { return nil }
        if key == nil, !section.has("api_key"), !section.has("api_key_file") {
            section.complain("api_key", "missing; copy it from Lidarr's settings, General")
        }
    }

    var shown: [(key: String, value: SettingsSection.Value)] {
        [
            ("url", .text(url)), ("api_key", .secret), ("root_folder", .text(rootFolder ?? "as Lidarr chooses")),
            ("quality_profile", .text(qualityProfile ?? "that of the root folder")),
            ("metadata_profile", .text(metadataProfile ?? "that of the root folder")),
        ]
    }
}
