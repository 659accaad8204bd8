/// The streams that a playlist names, which are tried in turn.
struct StreamTargets: Equatable {
    /// Their URLs; empty where the stream's own URL is the one to connect to.
    private(set) var urls: [String] = []
    /// True if the stream's URL was read as a playlist.
    private(set) var wasRead = false

    /// The stream's URL is asked for as a playlist.
    mutating func beginReading() { wasRead = true }

    /// The playlist names these; nil if there is none.
    mutating func found(_ urls: [String]?) { self.urls = urls ?? [] }

    /// Where to connect to after a number of failures; nil is the stream's own URL.
    func address(after failures: Int) -> String? { urls.isEmpty ? nil : urls[failures % urls.count] }

    /// True if there is a stream that was not tried yet.
    func hasOthers(after failures: Int) -> Bool { !urls.isEmpty && (failures + 1) % urls.count != 0 }

    /// Forgets the playlist once all of it has failed: it is read again.
    mutating func startOver(after failures: Int) {
        if !urls.isEmpty, failures > 0, failures % urls.count == 0 { self = StreamTargets() }
    }

    /// True if a URL seems to lead to a playlist that GStreamer doesn't follow.
    static func isLikelyPlaylist(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".m3u", ".pls", ".xspf", ".asx"].contains { path.hasSuffix($0) }
    }
}
