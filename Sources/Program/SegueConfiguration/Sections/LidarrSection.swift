import Lidarr
import MusicModel

extension ConfigurationReader {
    /// Reads where Lidarr is; nil when neither the file nor the environment has the section.
    func readLidarr(_ section: inout SectionReader) -> LidarrSettings? {
        let url = section.required("url", .serverURL, example: "url = \"http://127.0.0.1:8686\"")
        let key = readPassword(&section, "api_key", orCredential: "lidarr-api-key")
        var lidarr = LidarrSettings(url: url ?? "", key: key ?? Secret(""))
        lidarr.keyFile = passwordFile(&section, "api_key")
        section.read("root_folder", .text("the path of one of Lidarr's root folders"), into: &lidarr.rootFolder)
        section.read(
            "quality_profile", .text("the name of one of Lidarr's quality profiles"), into: &lidarr.qualityProfile)
        section.read(
            "metadata_profile", .text("the name of one of Lidarr's metadata profiles"), into: &lidarr.metadataProfile)
        guard section.isPresent else { return nil }
        if key == nil, section.node("api_key") == nil, section.node("api_key_file") == nil {
            section.complain("api_key", "missing; copy it from Lidarr's settings, General")
        }
        return lidarr
    }
}
