import SegueConfiguration

/// A section of a configuration file that is being written.
struct TOMLSection {
    /// The line in brackets.
    let head: String
    private var lines: [String] = []

    /// Begins a section with its line in brackets.
    init(_ head: String) { self.head = head }

    /// True if nothing has been added.
    var isEmpty: Bool { lines.isEmpty }

    /// The section's text without a line end behind it.
    var text: String { ([head] + lines).joined(separator: "\n") }

    /// Adds a key; the value is written as it is.
    mutating func add(_ key: String, _ value: String) { lines.append("\(key) = \(value)") }

    /// Adds a comment.
    mutating func comment(_ text: String) { lines.append("# " + Self.commented(text)) }

    /// A text as it may stand in a comment: on one line, without control characters.
    static func commented(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                LosslessText.shown(text).unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }

    /// A string as TOML writes it.
    static func string(_ value: String) -> String { TOMLText.string(LosslessText.shown(value)) }
}
