/// A table while its text is read.
final class TOMLTable {
    enum Entry {
        case value(Node)
        case table(TOMLTable)
        /// The tables of a `[[name]]`, of which there is at least one.
        case list([TOMLTable])
    }

    /// How a table came to be, which decides who may add to it.
    private enum Origin {
        /// By the names of sections in it.
        case implied
        /// By a name with dots.
        case dotted
        /// By a head of its own.
        case written
    }

    private let path: String
    private var line: Int
    private var origin = Origin.written
    var entries: [String: Entry] = [:]

    init(path: String, line: Int) { (self.path, self.line) = (path, line) }

    private convenience init(_ origin: Origin, path: String, line: Int) {
        self.init(path: path, line: line)
        self.origin = origin
    }

    func path(of key: String) -> String { path.isEmpty ? key : path + "." + key }

    var node: Node {
        let nodes = entries.mapValues { entry in
            switch entry {
            case .value(let node): node
            case .table(let table): table.node
            // It stands where its first table does.
            case .list(let tables):
                Node(value: .array(tables.map(\.node)), path: tables[0].path, line: tables[0].line)
            }
        }
        return Node(value: .table(nodes), path: path, line: line)
    }

    /// The table of a `[name]`; nil where that has a table or a value already.
    func openSection(_ name: [String], line: Int) -> TOMLTable? {
        guard let key = name.last, let holder = holder(of: name, line: line) else { return nil }
        switch holder.entries[key] {
        case .table(let table) where table.origin == .implied:
            (table.origin, table.line) = (.written, line)
            return table
        case nil: return holder.add(.written, key, line)
        default: return nil
        }
    }

    /// A new table of a `[[name]]`; nil where that is something else already.
    func appendSection(_ name: [String], line: Int) -> TOMLTable? {
        guard let key = name.last, let holder = holder(of: name, line: line) else { return nil }
        let table = TOMLTable(path: holder.path(of: key), line: line)
        switch holder.entries[key] {
        case .list(var tables):
            // The only copy, so that it grows in place.
            holder.entries[key] = nil
            tables.append(table)
            holder.entries[key] = .list(tables)
        case nil: holder.entries[key] = .list([table])
        default: return nil
        }
        return table
    }

    /// The table in which the last part of a section's name stands; a part that names a list means its last table.
    private func holder(of name: [String], line: Int) -> TOMLTable? {
        var table = self
        for key in name.dropLast() {
            switch table.entries[key] {
            case .table(let inner): table = inner
            case .list(let tables): table = tables[tables.count - 1]
            case nil: table = table.add(.implied, key, line)
            case .value: return nil
            }
        }
        return table
    }

    /// The table of the parts in front of a setting's name; nil where one has a head of its own or a value.
    func openDotted(_ name: [String], line: Int) -> TOMLTable? {
        var table = self
        for key in name {
            switch table.entries[key] {
            case .table(let inner) where inner.origin != .written:
                inner.origin = .dotted
                table = inner
            case nil: table = table.add(.dotted, key, line)
            default: return nil
            }
        }
        return table
    }

    private func add(_ origin: Origin, _ key: String, _ line: Int) -> TOMLTable {
        let table = TOMLTable(origin, path: path(of: key), line: line)
        entries[key] = .table(table)
        return table
    }
}

struct TOMLNumber {
    let value: Node.Value

    /// Reads a word; nil for one that is no number, or a whole one of more than 64 bits.
    init?(_ word: String) {
        // Underscores may stand between two digits.
        let text = word.replacing("_", with: "")
        if let match = word.wholeMatch(of: #/0([xob])([0-9A-Fa-f]+(?:_[0-9A-Fa-f]+)*)/#) {
            let radix = match.1 == "x" ? 16 : match.1 == "o" ? 8 : 2
            guard let number = Int(text.dropFirst(2), radix: radix) else { return nil }
            value = .integer(number)
        } else if let match = word.wholeMatch(of: #/([+-]?)(inf|nan)/#) {
            let number = match.2 == "nan" ? Double.nan : Double.infinity
            value = .number(match.1 == "-" ? -number : number)
        } else if let match = word.wholeMatch(
            of: #/[+-]?(?:0|[1-9][0-9]*(?:_[0-9]+)*)(\.[0-9]+(?:_[0-9]+)*)?([eE][+-]?[0-9]+(?:_[0-9]+)*)?/#)
        {
            let isWhole = match.1 == nil && match.2 == nil
            guard let number = isWhole ? Int(text).map(Node.Value.integer) : Double(text).map(Node.Value.number) else {
                return nil
            }
            value = number
        } else {
            return nil
        }
    }
}

/// TOML that the program itself writes, and small files of it: names with texts, no sections.
package enum TOMLText {
    /// Reads a small file's text; values that are no text are left out.
    package static func read(_ text: String, file: String) throws(ConfigurationError) -> [String: String] {
        guard case .table(let table) = try Node(toml: text, file: file).value else { return [:] }
        return table.compactMapValues(\.plainText)
    }

    /// The text of such a file.
    package static func write(_ values: KeyValuePairs<String, String>) -> String {
        values.map { "\($0) = \(string($1))\n" }.joined()
    }

    /// A string in quotes.
    package static func string(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\0"..<" ", "\u{7F}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
