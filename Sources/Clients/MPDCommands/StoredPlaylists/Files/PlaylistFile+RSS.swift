import MusicModel

extension PlaylistFile {
    /// The text of an XML document that is not UTF-8 is in the charset that its first line names.
    static func xmlText(_ bytes: [UInt8]) -> String {
        let start = String(decoding: bytes.prefix(200), as: UTF8.self).prefix { $0 != ">" }
        guard let name = start.firstRange(of: "encoding=").map({ start[$0.upperBound...].dropFirst() })
        else { return TextDecoding.text(bytes) }
        let charset = String(name.prefix { $0 != "\"" && $0 != "'" })
        return TextDecoding.text(
            bytes, charset: TextDecoding.knows(charset: charset) ? charset : TextDecoding.usualCharset)
    }

    /// Reads a feed of RSS or Atom, in its own order; nil for what is none. Items without a file to play are left out.
    static func rss(_ text: String) throws(XMLReader.Malformed) -> [Entry]? {
        var reader = XMLReader(text)
        var feed = Feed()
        while feed.entries.count < entryLimit, let event = try reader.next() {
            switch event {
            case .start(let name): feed.open(name, reader)
            case .text(let text): feed.take(text)
            case .end(let name): feed.close(name)
            }
        }
        return feed.isFeed ? feed.entries : nil
    }
}

private struct Feed {
    /// More bytes of a title are of no use to a list.
    private static let maxTextLength = 2000

    private(set) var entries: [PlaylistFile.Entry] = []
    private(set) var isFeed = false
    /// The elements that are open, in lower case and without the prefix of Atom's own names.
    private var path: [String] = []
    /// The text of the element that is open, where it is one that counts.
    private var text: String?
    private var album: TagValue?
    private var item: Item?

    mutating func open(_ name: String, _ reader: XMLReader) {
        let name = Self.plain(name)
        if path.isEmpty { isFeed = ["rss", "feed", "rdf:rdf"].contains(name) }
        path.append(name)
        if name == "item" || name == "entry", item == nil { item = Item(depth: path.count) }
        if isChild { item?.begin(name, reader) }
        text = isChild && (item == nil ? name == "title" : Item.elements.contains(name)) ? "" : nil
    }

    mutating func take(_ piece: String) {
        guard let text, text.utf8.count < Self.maxTextLength else { return }
        self.text = text + piece.prefix(utf8: Self.maxTextLength)
    }

    mutating func close(_ name: String) {
        let name = Self.plain(name)
        if let text, isChild {
            if item == nil { album = album ?? PlaylistFile.tag(.album, text) } else { item?.end(name, text) }
        }
        text = nil
        if let item, item.depth == path.count {
            if let entry = item.entry(album) { entries.append(entry) }
            self.item = nil
        }
        path.removeLast()
    }

    /// True if the element that is open stands directly in an item or, outside of all items, in the feed's head.
    private var isChild: Bool {
        if let item { return path.count == item.depth + 1 }
        return path.count == (path.first == "feed" ? 2 : 3)
    }

    private static func plain(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasPrefix("atom:") ? String(name.dropFirst(5)) : name
    }
}

private struct Item {
    static let elements: Set<String> = [
        "title", "itunes:author", "author", "dc:creator", "pubdate", "published", "updated", "dc:date",
        "itunes:duration",
    ]

    let depth: Int
    private var uri = ""
    private var title: TagValue?
    private var artist: TagValue?
    private var date: TagValue?
    /// When it was changed last, which every entry of Atom says.
    private var change: TagValue?
    private var duration: Duration?

    init(depth: Int) { self.depth = depth }

    mutating func begin(_ name: String, _ reader: XMLReader) {
        let isFile = name == "enclosure" || name == "link" && reader.attribute("rel") == "enclosure"
        guard isFile, uri.isEmpty else { return }
        let type = reader.attribute("type")?.lowercased() ?? "audio/"
        // Some feeds have pictures and documents as files, too.
        guard ["audio/", "video/", "application/"].contains(where: { type.hasPrefix($0) }) else { return }
        let address = reader.attribute(name == "link" ? "href" : "url") ?? ""
        uri = String(PlaylistFile.trimmed(Substring(address)))
    }

    mutating func end(_ name: String, _ text: String) {
        switch name {
        case "title": title = title ?? PlaylistFile.tag(.title, text)
        case "itunes:author", "author", "dc:creator": artist = artist ?? PlaylistFile.tag(.artist, text)
        case "itunes:duration": duration = FeedText.duration(text)
        case "updated": change = change ?? FeedText.date(text).flatMap { PlaylistFile.tag(.date, $0) }
        default: date = date ?? FeedText.date(text).flatMap { PlaylistFile.tag(.date, $0) }
        }
    }

    func entry(_ album: TagValue?) -> PlaylistFile.Entry? {
        // A line end would become a line of an answer.
        guard !uri.isEmpty, !uri.utf8.contains(where: { $0 < 0x20 }) else { return nil }
        return PlaylistFile.Entry(
            uri: uri, tags: [artist, album, title, date ?? change].compactMap(\.self), duration: duration)
    }
}

/// Dates and lengths as feeds have them.
enum FeedText {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// `2026-07-10` of RFC 822's `Fri, 10 Jul 2026 05:00:00 GMT` or of ISO 8601; nil for anything else.
    static func date(_ text: String) -> String? {
        let words = text.split { $0.isWhitespace || $0 == "," }.prefix(6)
        if let iso = words.first?.prefix(10), iso.utf8.count == 10, TimeText.seconds("\(iso)T00:00:00") != nil {
            return String(iso)
        }
        guard let index = words.firstIndex(where: { months.contains($0.prefix(3).lowercased()) }),
            index > words.startIndex, words.indices.contains(index + 1),
            let month = months.firstIndex(of: words[index].prefix(3).lowercased()),
            let day = UInt8(words[index - 1]), let year = UInt16(words[index + 1])
        else { return nil }
        let whole = Int(year) + (year < 100 ? 2000 : 0)
        let date = "\(whole.padded(to: 4))-\((month + 1).padded(to: 2))-\(day.padded(to: 2))"
        return TimeText.seconds("\(date)T00:00:00") == nil ? nil : date
    }

    /// A length in seconds, minutes and seconds, or hours, minutes and seconds; nil for anything else.
    static func duration(_ text: String) -> Duration? {
        let parts = PlaylistFile.trimmed(Substring(text)).split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt32($0.prefix { $0 != "." }) }
        guard (1...3).contains(parts.count), numbers.count == parts.count else { return nil }
        let seconds = numbers.reduce(Int64(0)) { $0 * 60 + Int64($1) }
        return (1...maxDuration).contains(seconds) ? .seconds(seconds) : nil
    }

    /// A week: what says more is mistaken.
    private static let maxDuration: Int64 = 7 * 86_400
}
