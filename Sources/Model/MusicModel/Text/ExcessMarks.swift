/// Letters with more marks than any language has. Whatever compares, hashes or takes apart a text by characters first
/// orders the marks of each letter, in a time that grows with the square of their number: 40,000 take a second. So
/// texts from outside lose them at the door, or are refused.
/// - Source: Unicode Standard Annex 15, Stream-Safe Text Format.
extension String {
    /// True if some letter has more marks than 30.
    package var hasExcessMarks: Bool {
        guard mayHaveMarks else { return false }
        var marks = Marks()
        return unicodeScalars.contains { !marks.fits($0) }
    }

    /// The text with the first 30 marks of each letter.
    package var withoutExcessMarks: String {
        guard hasExcessMarks else { return self }
        var marks = Marks()
        var kept = String.UnicodeScalarView()
        for scalar in unicodeScalars where marks.fits(scalar) { kept.append(scalar) }
        return String(kept)
    }

    /// True if there are bytes with which marks begin; most texts have none, and are looked at no further.
    private var mayHaveMarks: Bool {
        var text = self
        return text.withUTF8 { $0.contains { $0 >= firstByteOfMarks } }
    }
}

private let firstByteOfMarks: UInt8 = 0xCC

private struct Marks {
    private static let maxMarks = 30

    private var count = 0

    mutating func fits(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered else {
            count = 0
            return true
        }
        count += 1
        return count <= Self.maxMarks
    }
}
