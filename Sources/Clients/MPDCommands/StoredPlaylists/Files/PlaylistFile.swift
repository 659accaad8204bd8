package import MusicModel

/// A playlist in one of the formats that people keep in files and on web servers.
package struct PlaylistFile: Hashable, Sendable {
    /// One line of it.
    package struct Entry: Hashable, Sendable {
        /// A path or a URL, as the file has it.
        package var uri: String
        /// The tags that the file has for it.
        package var tags: [TagValue] = []
        /// How long it says that it lasts.
        package var duration: Duration?
        /// The part of it that is meant; nil is all of it.
        package var range: SongRange?
        /// How loud the file says that it is.
        package var replayGain = ReplayGain()
    }

    /// The formats, each with its names.
    package enum Format: CaseIterable, Sendable {
        case m3u, pls, xspf, asx, cue, rss

        var suffixes: [String] { self == .m3u ? ["m3u", "m3u8"] : ["\(self)"] }

        /// The types that web servers announce.
        private static let mimeTypes: [String: Format] = [
            "audio/x-mpegurl": .m3u, "audio/mpegurl": .m3u, "audio/x-scpls": .pls, "application/xspf+xml": .xspf,
            "video/x-ms-asf": .asx, "application/x-cue": .cue, "application/rss+xml": .rss,
            "application/atom+xml": .rss,
        ]

        /// The most bytes that are read of one: feeds bring the notes on every episode along.
        var maxSize: Int { self == .rss ? 16 << 20 : 1 << 20 }

        /// Types that say no more than that it is XML, which the ending of the name decides, or else means a feed.
        private static let anyXML = ["application/xml", "text/xml"]

        /// The format of a file by the ending of its path; nil for what is no playlist.
        init?(path: some StringProtocol) {
            let suffix = String(path).pathSuffix
            guard let format = Self.allCases.first(where: { $0.suffixes.contains(suffix) }) else { return nil }
            self = format
        }

        /// The format of what a web server sends, by its type or else by the ending of the URL.
        package init?(mimeType: String?, url: String) {
            let type = mimeType?.prefix { $0 != ";" && $0 != " " }.lowercased()
            if let type, Self.anyXML.contains(type) {
                self = Self(path: url.prefix { $0 != "?" && $0 != "#" }) ?? .rss
            } else if let type, let format = Self.mimeTypes[type] {
                self = format
            } else if let type, Self.otherTypes.contains(type) {
                // Web pages and answers of programming interfaces are none, however the URL ends.
                return nil
            } else {
                self.init(path: url.prefix { $0 != "?" && $0 != "#" })
            }
        }

        private static let otherTypes: Set<String> = ["application/json", "application/xhtml+xml", "text/html"]
    }

    /// No more entries than these are taken.
    static let entryLimit = 65_536

    /// The entries in order.
    package var entries: [Entry]

    /// Reads a playlist; nil where the bytes are not of the format. Cue sheets that are no Unicode are in `charset`,
    /// lines of other lists in that of `names`, or replaced, which are found nowhere.
    package init?(
        _ bytes: [UInt8], format: Format, charset: String = TextDecoding.usualCharset, names: FileNames = .inUse
    ) {
        let entries: [Entry]? =
            switch format {
            case .m3u: Self.m3u(Self.text(bytes, names))
            case .pls: Self.pls(Self.text(bytes, names))
            case .xspf: try? Self.xspf(Self.text(bytes, names))
            case .asx: Self.asx(Self.text(bytes, names))
            case .cue: Self.cue(bytes, charset: charset)
            case .rss: try? Self.rss(Self.xmlText(bytes))
            }
        guard let entries else { return nil }
        self.entries = Array(entries.lazy.filter { $0.uri.utf8.count <= Self.maxURILength }.prefix(Self.entryLimit))
    }

    /// No path and no address that leads somewhere is longer, in bytes.
    private static let maxURILength = 4096
    /// A longer value of a tag is cut, in bytes.
    private static let maxValueLength = 4096

    private static func text(_ bytes: [UInt8], _ names: FileNames) -> String {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return TextDecoding.text(bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0), linesLike: names)
    }

    static func lines(of text: String) -> [Substring] {
        // Three lines for each entry, and as many comments: more would take more memory than any playlist needs.
        text.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: 6 * entryLimit).prefix(6 * entryLimit)
            .map { trimmed(Substring($0)) }
    }

    static func trimmed(_ text: Substring) -> Substring {
        var bytes = text.utf8
        while let first = bytes.first, first <= 0x20 { bytes = bytes.dropFirst() }
        while let last = bytes.last, last <= 0x20 { bytes = bytes.dropLast() }
        return Substring(bytes)
    }

    /// A tag's value without control characters; nil where nothing is left.
    static func tag(_ tag: Tag, _ text: some StringProtocol) -> TagValue? {
        var scalars = String.UnicodeScalarView()
        for scalar in text.prefix(utf8: maxValueLength).unicodeScalars {
            scalars.append(scalar.value < 0x20 ? " " : scalar)
        }
        let value = trimmed(Substring(String(scalars)))
        return value.isEmpty ? nil : TagValue(tag, String(value))
    }
}
