extension StringProtocol {
    /// The beginning of at most this many bytes of UTF-8, cut between scalars: a single character may have a megabyte.
    package func prefix(utf8 limit: Int) -> String {
        let text = Substring(self)
        let bytes = text.utf8
        guard var end = bytes.index(bytes.startIndex, offsetBy: Swift.max(0, limit), limitedBy: bytes.endIndex),
            end < bytes.endIndex
        else { return String(text) }
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
        return String(text[..<end])
    }
}

extension String {
    /// The beginning of another program's words, fit for a sentence: one line, without signs that control a terminal,
    /// turn the direction of writing around or can't be seen.
    /// - Parameter limit: the most bytes that it takes.
    package func quotable(utf8 limit: Int) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in prefix(utf8: limit).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }
}
