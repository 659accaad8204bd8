import TOMLKit

/// A TOML text as nodes that know their lines.
///
/// TOMLKit parses; it keeps no positions, and the C++ library in it ends the process for some mistakes, hence
/// `SourceLines`.
struct TOMLDocument {
    /// The whole file: a table.
    let root: Node

    /// Parses `text`.
    init(_ text: String, file: String) throws(ConfigurationError) {
        let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
        // TOMLKit hands the text over as a C string and would silently stop there.
        if let nul = text.utf8.firstIndex(of: 0) {
            let line = 1 + text.utf8[..<nul].count { $0 == 0x0A }
            throw ConfigurationError(code: .syntax, file: file, line: line, message: "a NUL byte is not allowed here")
        }
        let lines: SourceLines
        do { lines = try Self.lines(text) } catch {
            throw ConfigurationError(code: .syntax, file: file, line: error.line, message: error.message)
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ConfigurationError(
                code: .syntax, file: file, line: error.source.begin.line, message: Self.sentence(error.description))
        } catch {
            throw ConfigurationError(code: .syntax, file: file, message: "the file is not valid TOML")
        }
        root = withExtendedLifetime(table) { Self.node(table, lines: lines) }
    }

    /// The lines of a text whose mark of byte order was taken away; the parser would take another one for nothing.
    private static func lines(_ text: String) throws(SourceLines.Refusal) -> SourceLines {
        guard !text.utf8.starts(with: "\u{FEFF}".utf8) else {
            throw SourceLines.Refusal(line: 1, message: "the file begins with two marks of byte order")
        }
        return try SourceLines(text)
    }

    private static func node(_ table: TOMLTable, lines: SourceLines) -> Node {
        Node(value: .table(entries(table, place: "", path: "", lines)), path: "", line: 1)
    }

    /// `place` counts array elements (`output[1].type`), `path` is what people read (`output.type`).
    private static func entries(
        _ table: TOMLTable, place: String, path: String, _ lines: SourceLines
    ) -> [String: Node] {
        var result: [String: Node] = [:]
        for key in table.keys {
            guard let value = table[key] else { continue }
            let prefix = path.isEmpty ? "" : path + "."
            result[key] = node(
                value, place: place.isEmpty ? key : place + "." + key, path: prefix + key, lines)
        }
        return result
    }

    private static func node(
        _ value: any TOMLValueConvertible, place: String, path: String, _ lines: SourceLines
    ) -> Node {
        Node(value: content(value, place: place, path: path, lines), path: path, line: lines.line(of: place))
    }

    private static func content(
        _ value: any TOMLValueConvertible, place: String, path: String, _ lines: SourceLines
    ) -> Node.Value {
        if let table = value.table { return .table(entries(table, place: place, path: path, lines)) }
        if let array = value.array {
            return .array(
                array.enumerated().map { node($0.element, place: "\(place)[\($0.offset)]", path: path, lines) })
        }
        if let text = value.string { return .string(text) }
        if let number = value.int { return .integer(number) }
        if let number = value.double { return .number(number) }
        if let flag = value.bool { return .boolean(flag) }
        return .time
    }

    /// toml++ explains over several lines; ours is one. What it cites of the file is cut, as that may be a password.
    private static func sentence(_ description: String) -> String {
        let line = description.split(whereSeparator: \.isNewline).first.map(String.init) ?? "invalid"
        let words = line.prefix { $0 != "'" && $0 != "\"" }
        let text = words.count < line.count ? words.split(separator: ";").first.map(String.init) ?? "" : line
        return "not valid TOML: " + (text.isEmpty ? "the line can't be understood" : text)
    }
}
