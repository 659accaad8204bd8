import MusicModel

/// A path as playlists of other programs and systems have it: with backslashes between folders, as an address of the
/// scheme `file:`, with percent signs before numbers of bytes, with a drive or a server before it.
enum WrittenPath {
    static let maxReadings = 5

    /// True if a path can be read otherwise than word for word.
    static func hasReadings(_ written: String) -> Bool {
        written.utf8.contains { $0 == percent || $0 == backslash } || isFile(written)
            || !parts(ofForeign: written).isEmpty
    }

    /// The readings of a path, that word for word first: a name may have backslashes and percent signs.
    static func readings(of written: String) -> [String] {
        guard hasReadings(written) else { return [written] }
        let plain = withoutHost(written)
        var found = [written]
        for reading in [plain, decoded(plain), slashed(plain), slashed(decoded(plain))] where !found.contains(reading) {
            found.append(reading)
        }
        return Array(found.prefix(maxReadings))
    }

    /// The ends of an absolute path of Windows, the longest first: any of its folders may be the one with the music.
    static func ends(ofForeign written: String) -> [String] {
        let parts = parts(ofForeign: slashed(decoded(withoutHost(written)))).suffix(maxEnds)
        return parts.indices.map { parts[$0...].joined(separator: "/") }
    }

    static let maxEnds = 12

    private static func parts(ofForeign path: String) -> [Substring] {
        let place = isFile(path) ? path.dropFirst(5).drop { $0 == "/" } : path[...]
        let isOnDrive =
            place.first?.isASCII == true && place.first?.isLetter == true
            && [":/", ":\\"].contains(place.dropFirst().prefix(2))
        guard isOnDrive || path.hasPrefix("//") else { return [] }
        return place.dropFirst(isOnDrive ? 3 : 2).pathParts
    }

    private static let (percent, backslash) = (UInt8(ascii: "%"), UInt8(ascii: "\\"))

    private static func isFile(_ text: String) -> Bool { text.prefix(5).lowercased() == "file:" }

    /// An address of this machine with two slashes before the path, and no host.
    private static func withoutHost(_ text: String) -> String {
        guard isFile(text) else { return text }
        let rest = text.dropFirst(5)
        let local = "//localhost/"
        if rest.prefix(local.count).lowercased() == local { return "file://" + rest.dropFirst(local.count - 1) }
        return rest.isAbsolutePath && !rest.utf8.dropFirst().starts(with: "/".utf8) ? "file://" + rest : text
    }

    private static func slashed(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 == backslash ? UInt8(ascii: "/") : $0 }, as: UTF8.self)
    }

    /// A text with the bytes that percent signs stand for; as it is where these are no text of a path.
    private static func decoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(percent) else { return text }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let digits = bytes[(index + 1)...].prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            let isEscape = bytes[index] == percent && digits.count == 2
            result.append(isEscape ? UInt8(digits[0] << 4 | digits[1]) : bytes[index])
            index += isEscape ? 3 : 1
        }
        guard result.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return text }
        return TextDecoding.text(result, linesLike: .inUse)
    }
}
