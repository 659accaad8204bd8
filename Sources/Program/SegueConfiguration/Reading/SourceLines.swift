/// The lines on which a TOML text's keys and sections stand.
///
/// It reads only text that a TOML parser has accepted, so it needs no errors of its own.
struct SourceLines {
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

    /// Reads a text.
    init(_ text: String) {
        var scanner = Scanner(bytes: Array(text.utf8))
        var section = ""
        var counts: [String: Int] = [:]
        while scanner.skipBlank() {
            let line = scanner.line
            if scanner.take("[[") {
                let name = Self.resolve(scanner.keys(), counts)
                let index = counts[name] ?? 0
                counts[name] = index + 1
                section = "\(name)[\(index)]"
                record(section, line)
                // The list itself stands where its first element does.
                record(name, line)
                scanner.skipLine()
            } else if scanner.take("[") {
                section = Self.resolve(scanner.keys(), counts)
                record(section, line)
                scanner.skipLine()
            } else {
                let key = scanner.keys().joined(separator: ".")
                record(section.isEmpty ? key : section + "." + key, line)
                scanner.skipValue()
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

extension SourceLines {
    /// Walks over the bytes of a TOML text.
    private struct Scanner {
        let bytes: [UInt8]
        var position = 0
        var line = 1

        init(bytes: [UInt8]) { self.bytes = bytes }

        private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

        private mutating func advance() {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }

        /// Skips white space, empty lines and comments; false at the end.
        mutating func skipBlank() -> Bool {
            while let byte = current {
                switch byte {
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): advance()
                case UInt8(ascii: "#"): skipLine()
                default: return true
                }
            }
            return false
        }

        mutating func skipLine() {
            while let byte = current, byte != UInt8(ascii: "\n") { advance() }
        }

        mutating func take(_ text: StaticString) -> Bool {
            let wanted = text.withUTF8Buffer(Array.init)
            guard bytes[position...].starts(with: wanted) else { return false }
            position += wanted.count
            return true
        }

        /// Reads a dotted key up to the `=` or `]` after it.
        mutating func keys() -> [String] {
            var keys: [String] = []
            while let byte = current, byte != UInt8(ascii: "="), byte != UInt8(ascii: "]") {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    let start = position + 1
                    skipString()
                    keys.append(String(decoding: bytes[start..<max(start, position - 1)], as: UTF8.self))
                } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
                    advance()
                } else {
                    keys.append(bareKey())
                }
            }
            return keys
        }

        private mutating func bareKey() -> String {
            let start = position
            while let byte = current, !" \t.=]\n".utf8.contains(byte) { advance() }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        /// Skips the `=` and the value after it, which may go on over several lines.
        mutating func skipValue() {
            var depth = 0
            while let byte = current {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString()
                case UInt8(ascii: "#"): skipLine()
                case UInt8(ascii: "\n") where depth == 0: return
                default:
                    if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
                    if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
                    advance()
                }
            }
        }

        /// Skips one string of any of the four kinds.
        private mutating func skipString() {
            let quote = bytes[position]
            let isLong = bytes[position...].starts(with: [quote, quote, quote])
            position += isLong ? 3 : 1
            while let byte = current {
                if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), position + 1 < bytes.count {
                    advance()
                    advance()
                } else if byte == quote, !isLong {
                    return advance()
                } else if isLong, bytes[position...].starts(with: [quote, quote, quote]) {
                    // Up to two quotes may stand before the closing three.
                    while current == quote { advance() }
                    return
                } else {
                    advance()
                }
            }
        }
    }
}
