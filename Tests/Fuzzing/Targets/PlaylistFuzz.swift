import MPDCommands

/// Reads a playlist as a web server sends it, and expects only streams that can be asked for.
///
/// - Shape: the first byte chooses the type that the server announces; the rest is the body.
enum PlaylistFuzz {
    private static let types: [String?] = [
        "audio/x-mpegurl", "audio/x-scpls", "application/xspf+xml", "video/x-ms-asf", "text/plain", "text/html", nil,
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
    }
}
