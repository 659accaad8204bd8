import MPDCommands
import MusicModel

/// Reads a playlist as a web server sends it, as the places of a station and as a list of songs, and expects only
/// streams that can be asked for, and tags that fit into lines of answers.
///
/// - Shape: the first byte chooses the type that the server announces; the rest is the body.
enum PlaylistFuzz {
    private static let types: [String?] = [
        "audio/x-mpegurl", "audio/x-scpls", "application/xspf+xml", "video/x-ms-asf", "text/plain", "text/html", nil,
        "application/rss+xml", "application/x-cue",
    ]
    private static let urls = ["http://host/dir/list.m3u8", "http://host", "https://u:p@host/a.pls?x#y"]

    static func run(_ bytes: [UInt8]) throws {
        guard let mode = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        let type = types[Int(mode) % types.count]
        let url = urls[Int(mode) / types.count % urls.count]
        _ = StreamPlaylist.mayBe(mimeType: type, url: url)
        let streams = StreamPlaylist.streams(in: body, mimeType: type, url: url) ?? []
        for stream in streams {
            let start = stream.prefix(8).lowercased()
            guard start.hasPrefix("http://") || start == "https://" else {
                throw FuzzFinding("\(stream) is taken for a stream")
            }
            _ = StreamPlaylist.isNamedAsPlaylist(stream)
        }
        if let format = PlaylistFile.Format(mimeType: type, url: url) { try readList(body, format) }
    }

    /// The list as `listplaylistinfo` and `load` read it: feeds have no places of stations.
    private static func readList(_ body: [UInt8], _ format: PlaylistFile.Format) throws {
        for entry in PlaylistFile(body, format: format)?.entries ?? [] {
            if entry.uri.isEmpty || format == .rss && entry.uri.utf8.contains(0x0A) {
                throw FuzzFinding("the path \(entry.uri)")
            }
            for tag in entry.tags where tag.value.isEmpty || tag.value.utf8.contains(where: { $0 < 0x20 }) {
                throw FuzzFinding("the value \(tag)")
            }
            if let duration = entry.duration, duration < .zero { throw FuzzFinding("a length of \(duration)") }
        }
    }
}
