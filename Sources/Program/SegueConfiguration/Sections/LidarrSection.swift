extension Configuration {
    /// The `[lidarr]` section.
    package struct Lidarr: Hashable, Sendable {
        /// The address, without a slash at its end.
        package var url = ""
        /// The key of its API.
        package var key = Secret("")
        /// Absolute path of the file that the key comes from; nil when it comes from elsewhere.
        package var keyFile: String?
        /// The root folder for new artists; nil leaves the choice to Lidarr.
        package var rootFolder: String?
        /// The quality profile for new artists, by its name; nil is the root folder's.
        package var qualityProfile: String?
        /// The metadata profile for new artists, by its name; nil is the root folder's.
        package var metadataProfile: String?
    }
}

extension ConfigurationReader {
    /// Reads where Lidarr is; nil when neither the file nor the environment has the section.
    func readLidarr(_ section: inout SectionReader) -> Configuration.Lidarr? {
        let url = section.required(
            "url", .serverURL, example: "url = \"http://127.0.0.1:8686\"")
        let key = readPassword(&section, "api_key", orCredential: "lidarr-api-key")
        var lidarr = Configuration.Lidarr(url: url ?? "", key: key ?? Secret(""))
        lidarr.keyFile = passwordFile(&section, "api_key")
        lidarr.rootFolder = section.value("root_folder", .text("the path of one of Lidarr's root folders"))
        lidarr.qualityProfile = section.value("quality_profile", .text("the name of one of Lidarr's quality profiles"))
        lidarr.metadataProfile = section.value(
            "metadata_profile", .text("the name of one of Lidarr's metadata profiles"))
        guard section.isPresent else { return nil }
        if key == nil, section.node("api_key") == nil, section.node("api_key_file") == nil {
            section.complain("api_key", "missing; copy it from Lidarr's settings, General")
        }
        return lidarr
    }
}
