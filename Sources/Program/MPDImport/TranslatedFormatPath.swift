import MusicModel

/// A recorder's `format_path` as Segue reads it.
///
/// The syntax is the same but for percent signs that name no tag, which MPD writes as they are and Segue may take for
/// a time, and for brackets without a counterpart, which Segue refuses.
///
/// - Source: MPD v0.24.13 src/util/format.c.
struct TranslatedFormatPath {
    /// The format for Segue's configuration.
    private(set) var text = ""
    /// True if its brackets were mended.
    private(set) var isMended = false
    /// True if a tag stands outside all groups, where Segue writes `Unknown` for a missing one.
    private(set) var namesUnknown = false
    private var depth = 0
    private var rest: Substring.UnicodeScalarView

    /// Translates a format.
    ///
    /// - Parameter paths: the meaning of `~` and variables, with which paths begin.
    init(_ format: String, paths: MPDPaths) {
        rest = format[...].unicodeScalars
        // MPD expands what a format results in, so that each alternative may begin with a folder of the user's.
        var isBeginning = true
        while let scalar = rest.first {
            if isBeginning, scalar == "~" || scalar == "$" {
                let beginning = rest.prefix { !"/[]|&#%\\".unicodeScalars.contains($0) }
                rest = rest[beginning.endIndex...]
                text += paths.written(String(String.UnicodeScalarView(beginning)))
                isBeginning = false
                continue
            }
            rest.removeFirst()
            isBeginning = scalar == "|" || scalar == "[" && isBeginning
            guard copy(scalar) else { break }
        }
        if depth > 0 { (text, isMended) = (text + String(repeating: "]", count: depth), true) }
    }

    /// Copies a sign and what belongs to it; false where the format ends for MPD.
    private mutating func copy(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "[": depth += 1
        case "]":
            guard depth > 0 else {
                isMended = true
                return false
            }
            depth -= 1
        case "#", "\\":
            text.unicodeScalars.append(scalar)
            // A backslash means something only before brackets and letters.
            guard let next = rest.first, scalar == "#" || next == "[" || next == "]" else { return true }
            rest.removeFirst()
            text.unicodeScalars.append(next)
            return true
        case "%":
            copyVariable()
            return true
        default: break
        }
        text.unicodeScalars.append(scalar)
        return true
    }

    private mutating func copyVariable() {
        let name = rest.prefix { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_") }
        rest = rest[name.endIndex...]
        let isClosed = rest.first == "%"
        if isClosed { rest.removeFirst() }
        let tag = String(name).lowercased()
        let isTag = Tag.allCases.contains { "\($0.wireName)".lowercased() == tag }
        let isKnown = isClosed && (isTag || name.elementsEqual("iso8601".unicodeScalars))
        let sign = isKnown ? "%" : "#%"
        text += sign + String(String.UnicodeScalarView(name)) + (isClosed ? sign : "")
        if isKnown, isTag, depth == 0 { namesUnknown = true }
    }
}
