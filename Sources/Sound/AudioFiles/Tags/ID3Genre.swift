import CSound

/// Genres as ID3 tags write them: as texts, as numbers, or as numbers in brackets with or without a text behind them.
/// - Source: ID3 tag version 2.3.0 and 2.4.0, frame `TCON`.
enum ID3Genre {
    private static let unknown = "Unknown"

    /// Reads a frame's text, which may name several; a number that stands for none is an unknown genre.
    static func names(_ text: String) -> [String] {
        var (found, rest) = ([String](), Substring(text))
        // Two brackets begin a text that has one itself.
        while rest.first == "(", !rest.hasPrefix("(("), let end = rest.firstIndex(of: ")"),
            let name = name(String(rest[rest.index(after: rest.startIndex)..<end]))
        {
            found.append(name)
            rest = rest[rest.index(after: end)...]
        }
        if rest.hasPrefix("((") { rest.removeFirst() }
        if let text = TagReader.clean(String(rest)) { found.append(name(text) ?? text) }
        var seen: Set<String> = []
        return found.filter { seen.insert($0).inserted }
    }

    private static func name(_ code: String) -> String? {
        switch code {
        case "RX": return "Remix"
        case "CR": return "Cover"
        default:
            guard (1...3).contains(code.utf8.count), let number = UInt8(code) else { return nil }
            return segue_id3_genre(guint(number)).map { String(cString: $0) } ?? unknown
        }
    }
}
