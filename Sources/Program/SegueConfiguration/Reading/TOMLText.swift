/// TOML that the program itself writes, and small files of it: names with texts, no sections.
package enum TOMLText {
    /// Reads a small file's text; values that are no text are left out.
    ///
    /// - Throws: when the text is no TOML, with the line.
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
