import TOMLKit

/// Small TOML files that the program itself writes: names with texts, no sections.
package enum TOMLStrings {
    /// Reads such a file's text; values that are no text are left out.
    ///
    /// - Throws: when the text is no TOML, with the line.
    package static func read(_ text: String, file: String) throws(ConfigurationError) -> [String: String] {
        guard case .table(let table) = try TOMLDocument(text, file: file).root.value else { return [:] }
        return table.compactMapValues {
            guard case .string(let text) = $0.value else { return nil }
            return text
        }
    }

    /// The text of such a file.
    package static func write(_ values: KeyValuePairs<String, String>) -> String {
        let table = TOMLTable()
        for (name, value) in values { table[name] = value }
        return table.convert(to: .toml) + "\n"
    }
}
