import MusicModel

extension PlaylistFile {
    /// Reads XSPF; as in MPD, a track begins with its location.
    static func xspf(_ text: String) throws(XMLReader.Malformed) -> [Entry] {
        var reader = XMLReader(text)
        var track = XSPFTrack()
        var entries: [Entry] = []
        var path: [String] = []
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
        return entries
    }

    private static let trackPath = ["playlist", "trackList", "track"]
}

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

extension PlaylistFile {
    /// Reads ASX, seldom well-formed XML, by its tags in whatever case and nesting; nil for what has no `asx` element.
    static func asx(_ text: String) -> [Entry]? {
        var rest = Substring(text)
        var entries: [Entry] = []
        var entry: Entry?
        var isASX = false
        while entries.count < entryLimit, let start = rest.firstIndex(of: "<"),
            let end = rest[start...].firstIndex(of: ">")
        {
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            let name = tag.prefix { !$0.isWhitespace }.lowercased()
            switch name {
            case "asx": isASX = true
            case "entry": entry = Entry(uri: "")
            case "/entry":
                if let entry, !entry.uri.isEmpty { entries.append(entry) }
                entry = nil
            case "ref":
                if let uri = attribute("href", of: tag), entry?.uri.isEmpty == true { entry?.uri = uri }
            case "title", "author":
                let content = plain(rest.prefix { $0 != "<" })
                let kind: Tag = name == "title" ? .title : .artist
                if let value = Self.tag(kind, content) { entry?.tags.append(value) }
            default: break
            }
        }
        return isASX ? entries : nil
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        let lower = tag.lowercased()
        guard let range = lower.firstRange(of: name) else { return nil }
        let behind = tag.dropFirst(lower[..<range.upperBound].count).drop { $0.isWhitespace }
        guard behind.first == "=" else { return nil }
        let quoted = behind.dropFirst().drop { $0.isWhitespace }
        guard let quote = quoted.first, quote == "\"" || quote == "'" else { return nil }
        return plain(quoted.dropFirst().prefix { $0 != quote })
    }

    /// A text with the five entities of XML replaced, and without white space around it.
    private static func plain(_ text: Substring) -> String {
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
        let replaced = entities.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
        return String(trimmed(Substring(replaced)))
    }
}
