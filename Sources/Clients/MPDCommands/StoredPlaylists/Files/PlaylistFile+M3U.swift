import MusicModel

extension PlaylistFile {
    /// Reads M3U, plain or with `#EXTINF:SECONDS,NAME` lines, which count where the first line is `#EXTM3U`.
    ///
    /// - Source: MPD v0.24.13 src/playlist/plugins/M3uPlaylistPlugin.cxx, ExtM3uPlaylistPlugin.cxx.
    static func m3u(_ text: String) -> [Entry] {
        let lines = lines(of: text)
        let isExtended = text.utf8.starts(with: "#EXTM3U".utf8) && lines.first == "#EXTM3U"
        var entries: [Entry] = []
        var information: (duration: Duration?, name: TagValue?)
        for line in lines {
            if entries.count == entryLimit { break }
            if isExtended, line.hasPrefix("#EXTINF:") {
                information = Self.information(line.dropFirst(8))
            } else if !line.isEmpty, line.first != "#" {
                let tags = [information.name].compactMap { $0 }
                entries.append(Entry(uri: String(line), tags: tags, duration: information.duration))
                information = (nil, nil)
            }
        }
        return entries
    }

    /// The length and the title behind `#EXTINF:`.
    private static func information(_ text: Substring) -> (duration: Duration?, name: TagValue?) {
        guard let comma = text.firstIndex(of: ",") else { return (nil, nil) }
        guard let seconds = Int32(trimmed(text[..<comma])) else { return (nil, nil) }
        return (seconds > 0 ? .seconds(seconds) : nil, tag(.name, text[text.index(after: comma)...]))
    }
}
