import MusicModel

extension PlaylistFile {
    /// Reads XSPF; nil for what is no well-formed XML. What stands before a track's location is not read, as in
    /// MPD.
    ///
    /// - Source: MPD v0.24.13 src/playlist/plugins/XspfPlaylistPlugin.cxx.
    static func xspf(_ text: String) -> [Entry]? {
        var reader = XMLReader(text)
        var track = XSPFTrack()
        var entries: [Entry] = []
        var path: [String] = []
        do {
            while entries.count < entryLimit, let event = try reader.next() {
                switch event {
                case .start(let name):
                    path.append(name)
                    if path == trackPath { track = XSPFTrack() }
                    if path.count == 4 { track.text = "" }
                case .text(let text):
                    if path.count == 4 { track.text += text }
                case .end(let name):
                    if path.count == 4, path.starts(with: trackPath) { track.close(name) }
                    if path == trackPath, let entry = track.entry { entries.append(entry) }
                    path.removeLast()
                }
            }
        } catch {
            return nil
        }
        return entries
    }

    private static let trackPath = ["playlist", "trackList", "track"]
}

/// A track while it is read.
private struct XSPFTrack {
    private static let elements: [String: Tag] = [
        "title": .title, "creator": .artist, "annotation": .comment, "album": .album, "trackNum": .track,
    ]

    var text = ""
    private var location = ""
    private var tags: [TagValue] = []

    /// Takes what an element inside the track said.
    mutating func close(_ name: String) {
        if name == "location" {
            location = text
        } else if !location.isEmpty, let tag = Self.elements[name], let value = PlaylistFile.tag(tag, text) {
            tags.append(value)
        }
    }

    var entry: PlaylistFile.Entry? {
        let uri = PlaylistFile.trimmed(Substring(location))
        return uri.isEmpty ? nil : PlaylistFile.Entry(uri: String(uri), tags: tags)
    }
}
