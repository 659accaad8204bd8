import MusicModel

/// Makes the server's texts fit for the protocol, whose values are lines.
package enum TagText {
    /// The text without control characters (each becomes a space) and without spaces round it; nil if nothing is left.
    package static func clean(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let plain = text.withoutControls
        if plain.utf8.first != 0x20, plain.utf8.last != 0x20 { return plain }
        var trimmed = plain.unicodeScalars.drop { $0 == " " }
        while trimmed.last == " " { trimmed.removeLast() }
        return trimmed.isEmpty ? nil : String(trimmed)
    }

    /// A sort name, unless the server made it up from the name.
    ///
    /// Navidrome fills in a lower-case form without accents and articles ("bjork" for "Bjørk"), which clients that show
    /// sort names would show. A sort name that a tagger wrote keeps its capitals, or is in a script that has none.
    package static func sortName(_ sortName: String?, of name: String?) -> String? {
        guard let sortName = clean(sortName), sortName != name else { return nil }
        guard let name, name.unicodeScalars.contains(where: isCapital) else { return sortName }
        let scalars = sortName.unicodeScalars
        let isMadeUp = !scalars.contains(where: isCapital) && scalars.contains(where: isSmall)
        return isMadeUp ? nil : sortName
    }

    private static func isCapital(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? ("A"..."Z").contains(scalar) : scalar.properties.isUppercase
    }

    private static func isSmall(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? ("a"..."z").contains(scalar) : scalar.properties.isLowercase
    }
}
