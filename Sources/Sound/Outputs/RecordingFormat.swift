import MusicModel

/// Why a text is no format of paths; for a person.
package struct RecordingFormatProblem: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Where a recording by title goes: a path in the syntax of MPD's `format_path`.
///
/// `%artist%` and the like are tags, and `%iso8601%` is when the title begins, in UTC. A group in brackets is left out
/// where none of its tags is there; `|` begins what is taken where nothing was found before it, `&` what is taken where
/// something was; `#` takes the meaning from a sign. `%Y`, `%m`, `%d`, `%H`, `%M` and `%S` of the local time and `%%`
/// are Segue's own.
///
/// - Source: MPD v0.24.13 src/util/format.c, src/tag/Format.cxx and doc/plugins.rst.
package struct RecordingFormat: Hashable, Sendable {
    /// As it was written.
    package let text: String
    /// The end of the names that it makes: of the text without the brackets of groups that end there.
    package var ending: String {
        var scalars = text.unicodeScalars
        while scalars.last == "]" { scalars.removeLast() }
        return String(scalars)
    }
    /// The parts outside of all groups.
    let sections: [Section]
    /// The folder that `~` is.
    let home: String?

    /// A part of a format between the operators.
    struct Section: Hashable, Sendable {
        /// The operator before it.
        var link: Link
        /// Its pieces, in order.
        var parts: [Part] = []
    }

    /// How a section follows those before it.
    enum Link: Hashable, Sendable {
        /// No operator stands before it, so that it always counts.
        case first
        /// It is taken, in place of all before it, where nothing was found.
        case alternative
        /// It is taken as well where something was found.
        case addition
    }

    /// A piece of a section.
    enum Part: Hashable, Sendable {
        /// Written as it is.
        case text(String)
        /// A value by which the part is found, if the title has it.
        case tag(Tag)
        /// When the title begins, as `2026-01-09T06:05:03Z`.
        case moment
        /// A part of the local time when the title begins; the letter is strftime's.
        case time(Unicode.Scalar)
        /// Left out as a whole where nothing in it is found.
        case group([Section])
    }

    /// How long a format may be, in bytes, and how deep its groups.
    static let (longest, deepest) = (4096, 16)

    /// Reads a format.
    ///
    /// - Parameter home: the folder that `~` is; nil where there is none.
    /// - Throws: `RecordingFormatProblem` for brackets without their counterpart, for what is no absolute path and for
    ///   what is too long.
    package init(_ text: String, home: String?) throws(RecordingFormatProblem) {
        guard text.utf8.count <= Self.longest else {
            throw RecordingFormatProblem("is longer than \(Self.longest) bytes")
        }
        guard !text.utf8.contains(where: { $0 < 0x20 }) else {
            throw RecordingFormatProblem("has a control character in it")
        }
        let path = text.drop { $0 == "[" }
        guard path.isAbsolutePath || path == "~" || path.hasPrefix("~/") else {
            throw RecordingFormatProblem("\"\(text)\" must be an absolute path, or start with \"~/\"")
        }
        guard !path.hasPrefix("~") || home != nil else {
            throw RecordingFormatProblem("\"~\" means nothing to a user without a HOME; write the whole path")
        }
        var reader = RecordingFormatReader(text)
        (self.text, self.home, sections) = (text, home, try reader.readAll())
    }
}

/// Reads the syntax of a format.
struct RecordingFormatReader {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = text[...].unicodeScalars }

    /// The sections outside of all groups.
    mutating func readAll() throws(RecordingFormatProblem) -> [RecordingFormat.Section] {
        let sections = try readSections(depth: 0)
        guard rest.isEmpty else {
            throw RecordingFormatProblem("has a \"]\" without a \"[\" before it; a bracket in a name is written \"#]\"")
        }
        return sections
    }

    /// Reads up to the end of a group, which is left to the caller.
    private mutating func readSections(depth: Int) throws(RecordingFormatProblem) -> [RecordingFormat.Section] {
        var sections = [RecordingFormat.Section(link: .first)]
        var literal = ""
        func add(_ part: RecordingFormat.Part?) {
            if !literal.isEmpty { sections[sections.count - 1].parts.append(.text(literal)) }
            literal = ""
            if let part { sections[sections.count - 1].parts.append(part) }
        }
        while let scalar = rest.first, scalar != "]" {
            rest.removeFirst()
            switch scalar {
            case "|", "&":
                add(nil)
                sections.append(RecordingFormat.Section(link: scalar == "|" ? .alternative : .addition))
            case "[": add(.group(try readGroup(depth: depth + 1)))
            case "#": literal.unicodeScalars.append(rest.popFirst() ?? "#")
            case "\\": literal.unicodeScalars.append(readEscaped())
            case "%":
                if let part = readVariable() { add(part) } else { literal.append(readPercent()) }
            default: literal.unicodeScalars.append(scalar)
            }
        }
        add(nil)
        return sections
    }

    private mutating func readGroup(depth: Int) throws(RecordingFormatProblem) -> [RecordingFormat.Section] {
        guard depth <= RecordingFormat.deepest else {
            throw RecordingFormatProblem("has more than \(RecordingFormat.deepest) groups in each other")
        }
        let sections = try readSections(depth: depth)
        guard rest.popFirst() != nil else {
            throw RecordingFormatProblem("has a \"[\" without a \"]\" after it; a bracket in a name is written \"#[\"")
        }
        return sections
    }

    private static let escaped: [Unicode.Scalar: Unicode.Scalar] = [
        "a": "\u{7}", "b": "\u{8}", "t": "\t", "n": "\n", "v": "\u{b}", "f": "\u{c}", "r": "\r", "[": "[", "]": "]",
    ]

    /// The sign that a backslash and the one behind it stand for; before others it is itself.
    private mutating func readEscaped() -> Unicode.Scalar {
        guard let meant = rest.first.flatMap({ Self.escaped[$0] }) else { return "\\" }
        rest.removeFirst()
        return meant
    }

    /// A tag or a time, of which the first percent sign is read.
    private mutating func readVariable() -> RecordingFormat.Part? {
        let name = rest.prefix { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_") }
        let behind = rest[name.endIndex...]
        if behind.first == "%", let part = Self.variable(String(name).lowercased()) {
            rest = behind.dropFirst()
            return part
        }
        guard let letter = rest.first, ["Y", "m", "d", "H", "M", "S"].contains(letter) else { return nil }
        rest.removeFirst()
        return .time(letter)
    }

    private static func variable(_ name: String) -> RecordingFormat.Part? {
        if name == "iso8601" { return .moment }
        return Tag.allCases.first { "\($0.wireName)".lowercased() == name }.map { .tag($0) }
    }

    /// A percent sign that begins nothing, or two of them.
    private mutating func readPercent() -> Character {
        if rest.first == "%" { rest.removeFirst() }
        return "%"
    }
}
