import MusicModel

/// Playlists that stand where a stream was expected, as many stations have them.
package enum StreamPlaylist {
    /// The most bytes that are read of one.
    package static let maxSize = 1 << 20

    /// True if what a web server announces may be such a playlist.
    package static func mayBe(mimeType: String?, url: String) -> Bool {
        if PlaylistFile.Format(mimeType: mimeType, url: url) != nil { return true }
        guard let type = mimeType?.lowercased() else { return true }
        if type.hasPrefix("application/json") { return false }
        return type.hasPrefix("text/") || type.hasPrefix("application/") || type.contains("url") || type.contains("pls")
    }

    /// True if an address ends as that of a playlist; HLS is a stream.
    package static func isNamedAsPlaylist(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return PlaylistFile.Format(path: path) != nil && !path.lowercased().hasSuffix(".m3u8")
    }

    /// The streams that a playlist names, in order; nil for what is none, and for HLS, which names pieces of one.
    package static func streams(in bytes: [UInt8], mimeType: String?, url: String) -> [String]? {
        let text = String(decoding: bytes, as: UTF8.self)
        if text.contains("#EXT-X-") { return nil }
        // The episodes of a feed are no places of one station.
        let formats = [PlaylistFile.Format(mimeType: mimeType, url: url)].compactMap { $0 == .rss ? nil : $0 }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let base = String(path.hasSlash ? path.pathFolder : path)
        for format in formats + guesses(text) {
            let entries = PlaylistFile(bytes, format: format)?.entries ?? []
            let streams = entries.compactMap { stream($0.uri, relativeTo: base) }
            if !streams.isEmpty { return streams }
        }
        return nil
    }

    private static func guesses(_ text: String) -> [PlaylistFile.Format] {
        let start = text.prefix(200).lowercased()
        if start.contains("[playlist]") { return [.pls] }
        if start.contains("<asx") { return [.asx] }
        if start.contains("<?xml") || start.contains("<playlist") { return [.xspf] }
        // A list of nothing but addresses is one too; a web page is none.
        return start.hasPrefix("#extm3u") || start.hasPrefix("http") ? [.m3u] : []
    }

    private static func stream(_ uri: String, relativeTo base: String) -> String? {
        let whole = LocatedURI.hasScheme(uri) ? uri : uri.isAbsolutePath ? root(of: base) + uri : "\(base)/\(uri)"
        return LocatedURI.isSupportedStream(whole) ? whole : nil
    }

    private static func root(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        return String(url[..<(url[scheme.upperBound...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? url.endIndex)])
    }
}
