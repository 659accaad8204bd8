/// Text of other people's making as it may stand in a log: on one line, without anything a terminal obeys.
enum LogText {
    /// The most bytes of a message or value that are written; what is longer ends in `…`.
    static let maxLength = 4_096

    /// A message: everything that a terminal or a reader could take for something else is written as `\u{1b}`.
    static func message(_ text: String) -> String {
        isPlain(text) ? text : escaped(text, quotes: false)
    }

    /// A value behind `key=`: in quotation marks when it is empty or has a space, `=`, `"` or `\` in it.
    static func value(_ text: String) -> String {
        let isBare =
            !text.isEmpty && isPlain(text)
            && !text.utf8.contains { $0 == 0x20 || $0 == 0x22 || $0 == 0x3D || $0 == 0x5C }
        return isBare ? text : "\"" + escaped(text, quotes: true) + "\""
    }

    /// True if the text is short and made of printable ASCII alone, as most are.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= maxLength && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            guard result.utf8.count < maxLength else {
                result += "…"
                break
            }
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\"" where quotes, "\\" where quotes: result += "\\" + String(scalar)
            case _ where isHarmful(scalar): result += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// True if a scalar controls a terminal, turns the direction of writing around, breaks the line or is invisible.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
