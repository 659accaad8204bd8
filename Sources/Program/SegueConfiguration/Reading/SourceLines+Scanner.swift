extension SourceLines {
    /// Walks over the bytes of a TOML text.
    struct Scanner {
        private let bytes: [UInt8]
        private var position = 0
        /// The line that is reached, counted from 1.
        private(set) var line = 1

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

        /// Skips what is left of a line.
        mutating func skipLine() {
            while let byte = current, byte != UInt8(ascii: "\n") { advance() }
        }

        /// Takes a text if it comes next.
        mutating func take(_ text: StaticString) -> Bool {
            let wanted = text.withUTF8Buffer(Array.init)
            guard bytes[position...].starts(with: wanted) else { return false }
            position += wanted.count
            return true
        }

        /// Refuses a section's head whose name doesn't begin as one, at which the parser ends the process.
        mutating func checkHead() throws(Refusal) {
            skipSpaces()
            guard let byte = current, !isPartOfName(byte), byte != UInt8(ascii: "]") else { return }
            throw refusal("a section's name is made of letters, digits, - and _")
        }

        /// Reads a dotted key up to the `=` or `]` after it, or to the end of the line.
        mutating func keys() throws(Refusal) -> [String] {
            var keys: [String] = []
            while let byte = current, byte != UInt8(ascii: "="), byte != UInt8(ascii: "]"), byte != UInt8(ascii: "\n") {
                if keys.count == SourceLines.depthLimit { throw refusal("a name has too many parts") }
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
        ///
        /// The parser ends the process at a `}` where a list wants a value, and at some dates that are none.
        mutating func skipValue() throws(Refusal) {
            var open: [UInt8] = []
            while let byte = current {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString()
                case UInt8(ascii: "#"): skipLine()
                case UInt8(ascii: "\n") where open.isEmpty: return
                case UInt8(ascii: "["), UInt8(ascii: "{"):
                    if open.count == SourceLines.depthLimit { throw refusal("too many lists or tables in each other") }
                    open.append(byte)
                    advance()
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    // Each closing bracket is two after its opening one.
                    guard open.popLast() == byte - 2 else { throw refusal("a closing bracket without its opening one") }
                    advance()
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: ","), UInt8(ascii: "="):
                    advance()
                default: try skipWord()
                }
            }
        }

        /// Skips a number, a flag, or a key of a table in braces.
        private mutating func skipWord() throws(Refusal) {
            let start = position
            while let byte = current, !" \t\n,=[]{}#\"'".utf8.contains(byte) { advance() }
            let word = bytes[start..<position]
            if word.count(where: { $0 == UInt8(ascii: ".") }) > SourceLines.depthLimit {
                throw refusal("a name has too many parts")
            }
            guard let first = word.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return }
            // A minus may follow the letter of an exponent.
            let isTime = zip(word, word.dropFirst()).contains { before, byte in
                byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") && before | 0x20 != UInt8(ascii: "e")
            }
            if isTime { throw refusal("no setting takes a date or a time") }
        }

        private func isPartOfName(_ byte: UInt8) -> Bool {
            switch UnicodeScalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "\"", "'": true
            default: false
            }
        }

        private mutating func skipSpaces() {
            while current == UInt8(ascii: " ") || current == UInt8(ascii: "\t") { advance() }
        }

        private func refusal(_ message: String) -> Refusal { Refusal(line: line, message: message) }

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
