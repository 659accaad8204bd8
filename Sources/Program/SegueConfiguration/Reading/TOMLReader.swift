/// Reads TOML into nodes that know their lines. Dates and times are refused, as no setting takes one.
///
/// Errors name the line and nothing of the text, which may be a password.
/// - Source: TOML 1.0.0; as in 1.1, tables in braces may span lines and end with a comma.
struct TOMLReader {
    /// How deep lists and tables may be nested, and how many parts a name may have. Readers of nodes recurse.
    static let maxDepth = 16

    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line = 1

    init(_ text: String, file: String) {
        bytes = Array(text.utf8)
        self.file = file
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func document() throws(ConfigurationError) -> Node {
        if let nul = bytes.firstIndex(of: 0) {
            line = 1 + bytes[..<nul].count { $0 == UInt8(ascii: "\n") }
            throw refused("a NUL byte is not allowed here")
        }
        let root = TOMLTable(path: "", line: 1)
        var section = root
        while skipBlank() {
            if take("[") { section = try head(in: root) } else { try pair(into: section, depth: 0) }
            try endLine()
        }
        return root.node
    }

    // MARK: Sections and names

    private mutating func head(in root: TOMLTable) throws(ConfigurationError) -> TOMLTable {
        let isList = take("[")
        let name = try self.name()
        guard take("]"), !isList || take("]") else { throw invalid("a section's name ends with ]") }
        let section = isList ? root.appendSection(name, line: line) : root.openSection(name, line: line)
        guard let section else { throw invalid("a section has the name of one before, or of a setting") }
        return section
    }

    private mutating func pair(into table: TOMLTable, depth: Int) throws(ConfigurationError) {
        var name = try self.name()
        guard take("="), let key = name.popLast() else { throw invalid("a setting is written as name = value") }
        skipSpaces()
        guard let holder = table.openDotted(name, line: line), holder.entries[key] == nil else {
            throw invalid("a setting has the name of one before, or of a section")
        }
        holder.entries[key] = .value(try value(path: holder.path(of: key), depth: depth))
    }

    /// Reads a name, in parts between dots, with the spaces around it.
    private mutating func name() throws(ConfigurationError) -> [String] {
        var parts: [String] = []
        repeat {
            guard parts.count < Self.maxDepth else { throw refused("a name has too many parts") }
            skipSpaces()
            if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") {
                parts.append(try string(maySpanLines: false))
            } else {
                let part = takeWhile { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
                guard !part.isEmpty else { throw invalid("a name is made of letters, digits, - and _") }
                parts.append(part)
            }
            skipSpaces()
        } while take(".")
        return parts
    }

    // MARK: Values

    private mutating func value(path: String, depth: Int) throws(ConfigurationError) -> Node {
        let start = line
        let value: Node.Value =
            switch current {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): .string(try string(maySpanLines: true))
            case UInt8(ascii: "["): .array(try list(path: path, depth: depth))
            case UInt8(ascii: "{"): try table(path: path, depth: depth).node.value
            default: try word()
            }
        return Node(value: value, path: path, line: start)
    }

    private mutating func list(path: String, depth: Int) throws(ConfigurationError) -> [Node] {
        var nodes: [Node] = []
        try readItems(until: "]", depth: depth) { reader throws(ConfigurationError) in
            nodes.append(try reader.value(path: path, depth: depth + 1))
        }
        return nodes
    }

    private mutating func table(path: String, depth: Int) throws(ConfigurationError) -> TOMLTable {
        let table = TOMLTable(path: path, line: line)
        try readItems(until: "}", depth: depth) { reader throws(ConfigurationError) in
            try reader.pair(into: table, depth: depth + 1)
        }
        return table
    }

    private mutating func readItems(
        until end: Unicode.Scalar, depth: Int,
        _ read: (inout TOMLReader) throws(ConfigurationError) -> Void
    ) throws(ConfigurationError) {
        guard depth < Self.maxDepth else { throw refused("too many lists or tables in each other") }
        position += 1
        repeat {
            if skipBlank(), take(end) { return }
            try read(&self)
            if skipBlank(), take(end) { return }
        } while take(",")
        throw invalid("there has to be a comma or the closing \(end)")
    }

    private mutating func word() throws(ConfigurationError) -> Node.Value {
        let word = takeWhile { $0.isLetterOrDigit || "+-._:".utf8.contains($0) }
        if let flag = Bool(word) { return .boolean(flag) }
        if let number = TOMLNumber(word) { return number.value }
        let isTime =
            word.first?.isWholeNumber == true
            && zip(word, word.dropFirst()).contains { $1 == ":" || $1 == "-" && $0 != "e" && $0 != "E" }
        throw isTime
            ? refused("no setting takes a date or a time")
            : invalid("a value is a text in quotes, a number, true, false, or a list in brackets")
    }

    // MARK: Texts

    private mutating func string(maySpanLines: Bool) throws(ConfigurationError) -> String {
        let quote = bytes[position]
        let isLong = maySpanLines && bytes[position...].starts(with: [quote, quote, quote])
        position += isLong ? 3 : 1
        if isLong { skipLineEnd() }
        var text: [UInt8] = []
        while let byte = current {
            switch byte {
            case quote:
                // Up to two quotes may stand before the closing three.
                let count = bytes[position...].prefix(isLong ? 5 : 1).prefix { $0 == quote }.count
                position += count
                guard isLong, count < 3 else {
                    text += repeatElement(quote, count: isLong ? count - 3 : 0)
                    return String(decoding: text, as: UTF8.self)
                }
                text += repeatElement(quote, count: count)
            case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""): try escape(isLong: isLong, into: &text)
            case UInt8(ascii: "\n") where isLong:
                text.append(byte)
                skipLineEnd()
            case 0..<0x20 where byte != UInt8(ascii: "\t") && !(isLong && byte == UInt8(ascii: "\r")), 0x7F:
                throw invalid("a text has no closing quote, or a control character in it")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw invalid("a text has no closing quote")
    }

    private mutating func escape(isLong: Bool, into text: inout [UInt8]) throws(ConfigurationError) {
        let letters = Array(#"btnfre"\"#.utf8)
        let meanings: [UInt8] = [0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1B, UInt8(ascii: "\""), UInt8(ascii: "\\")]
        position += 1
        guard let byte = current else { return }
        if let index = letters.firstIndex(of: byte) {
            position += 1
            text.append(meanings[index])
        } else if let count = ["x": 2, "u": 4, "U": 8][Character(Unicode.Scalar(byte))] {
            let digits = bytes[(position + 1)...].prefix(count)
            guard digits.count == count, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                digits.allSatisfy(\.isLetterOrDigit), let scalar = Unicode.Scalar(code)
            else { throw invalid("a \\\(Unicode.Scalar(byte)) in a text needs \(count) digits of a character") }
            position += 1 + count
            text += Array(String(Character(scalar)).utf8)
        } else {
            // At the end of a line it joins it with the next.
            let start = line
            skipSpaces()
            if isLong, current == UInt8(ascii: "\n") { skipWhiteSpace() }
            guard line > start else { throw invalid("a \\ in a text is written as \\\\, or stands in single quotes") }
        }
    }

    // MARK: Bytes

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard let current, current == UInt8(ascii: scalar) else { return false }
        position += 1
        return true
    }

    private mutating func takeWhile(_ isMeant: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = current, isMeant(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipSpaces() { _ = takeWhile { " \t\r".utf8.contains($0) } }

    private mutating func skipLineEnd() {
        if bytes[position...].starts(with: "\r\n".utf8) { position += 1 }
        if take("\n") { line += 1 }
    }

    private mutating func skipWhiteSpace() {
        while let byte = current, " \t\r\n".utf8.contains(byte) {
            if byte == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    /// Skips white space, empty lines and comments; false at the end.
    private mutating func skipBlank() -> Bool {
        skipWhiteSpace()
        while current == UInt8(ascii: "#") {
            _ = takeWhile { $0 != UInt8(ascii: "\n") }
            skipWhiteSpace()
        }
        return current != nil
    }

    private mutating func endLine() throws(ConfigurationError) {
        skipSpaces()
        guard current == nil || current == UInt8(ascii: "\n") || current == UInt8(ascii: "#") else {
            throw invalid("there is something behind the end of a setting or a section's name")
        }
    }

    private func invalid(_ message: String) -> ConfigurationError { refused("not valid TOML: \(message)") }

    private func refused(_ message: String) -> ConfigurationError {
        ConfigurationError(file: file, line: line, message: message)
    }
}

extension Node {
    init(toml text: String, file: String) throws(ConfigurationError) {
        var reader = TOMLReader(text, file: file)
        self = try reader.document()
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        let letter = Unicode.Scalar(self)
        return ("a"..."z").contains(letter) || ("A"..."Z").contains(letter) || ("0"..."9").contains(letter)
    }
}
