/// The lines on which a TOML text's keys and sections stand.
///
/// It walks over a text before the parser does, and refuses what the parser would answer by ending the process. Up to a
/// text's first mistake it sees keys, values and strings where the parser sees them, and the parser reads no further
/// than that; so whatever the parser would stumble over has been refused here.
struct SourceLines {
    /// Why a text is refused before it is parsed.
    struct Refusal: Error, Equatable {
        /// Where, counted from 1.
        let line: Int
        /// The error, without any of the text, which may be a password.
        let message: String
    }

    /// How deep lists and tables may be nested, and how many parts a name may have. The parser, and those who walk
    /// over what it made, go down by calling themselves.
    static let depthLimit = 16

    /// Line by place, such as `server.listen` or `output[1].type`.
    private var lines: [String: Int] = [:]

    /// The line of a place, or of the nearest thing that encloses it.
    func line(of place: String) -> Int? {
        var place = Substring(place)
        while !place.isEmpty {
            if let line = lines[String(place)] { return line }
            let end = place.lastIndex { $0 == "." || $0 == "[" } ?? place.startIndex
            place = place[..<end]
        }
        return nil
    }

    /// Reads a text, whatever it is.
    init(_ text: String) throws(Refusal) {
        var scanner = Scanner(bytes: Array(text.utf8))
        var section = ""
        var counts: [String: Int] = [:]
        while scanner.skipBlank() {
            let line = scanner.line
            if scanner.take("[[") {
                try scanner.checkHead()
                let name = Self.resolve(try scanner.keys(), counts)
                let index = counts[name] ?? 0
                counts[name] = index + 1
                section = "\(name)[\(index)]"
                record(section, line)
                // The list itself stands where its first element does.
                record(name, line)
                scanner.skipLine()
            } else if scanner.take("[") {
                try scanner.checkHead()
                section = Self.resolve(try scanner.keys(), counts)
                record(section, line)
                scanner.skipLine()
            } else {
                let key = try scanner.keys().joined(separator: ".")
                record(section.isEmpty ? key : section + "." + key, line)
                try scanner.skipValue()
            }
        }
    }

    private mutating func record(_ place: String, _ line: Int) {
        if lines[place] == nil { lines[place] = line }
    }

    /// The place of a section; a part that names a list means the list's last element so far.
    private static func resolve(_ keys: [String], _ counts: [String: Int]) -> String {
        var place = ""
        for (number, key) in keys.enumerated() {
            place += (place.isEmpty ? "" : ".") + key
            if number < keys.count - 1, let count = counts[place] { place += "[\(count - 1)]" }
        }
        return place
    }
}
