import Glibc
package import MusicModel

/// Where a recording by title goes: a path in the syntax of MPD's `format_path`.
///
/// `%artist%` and the like are tags, and `%iso8601%` is when the title begins, in UTC. A group in brackets is left out
/// where none of its tags is there; `|` begins what is taken where nothing was found before it, `&` what is taken where
/// something was; `#` takes the meaning from a sign. `%Y`, `%m`, `%d`, `%H`, `%M` and `%S` of the local time and `%%`
/// are Segue's own.
/// - Source: MPD v0.24.13 src/util/format.c, src/tag/Format.cxx and doc/plugins.rst.
package struct RecordingFormat: Hashable, Sendable {
    /// As it was written.
    package let text: String
    private let home: String?
    private static let maxLength = 4096

    /// Reads a format; `home` is the folder that `~` is.
    /// - Throws: for brackets without their counterpart, for what is no absolute path and for what is too long.
    package init(_ text: String, home: String?) throws(SettingProblem) {
        guard text.utf8.count <= Self.maxLength else { throw SettingProblem("is longer than \(Self.maxLength) bytes") }
        guard !text.utf8.contains(where: { $0 < 0x20 }) else { throw SettingProblem("has a control character in it") }
        let path = text.drop { $0 == "[" }
        guard path.isAbsolutePath || path == "~" || path.hasPrefix("~/") else {
            throw SettingProblem("\"\(text)\" must be an absolute path, or start with \"~/\"")
        }
        guard !path.hasPrefix("~") || home != nil else {
            throw SettingProblem("\"~\" means nothing to a user without a HOME; write the whole path")
        }
        (self.text, self.home) = (text, home)
        var scribe = RecordingScribe(text, [], at: 0)
        _ = try scribe.write()
    }

    /// The end of the names that it makes: of the text without the brackets of groups that end there.
    package var ending: String {
        var scalars = text.unicodeScalars
        while scalars.last == "]" { scalars.removeLast() }
        return String(scalars)
    }

    /// The path for a title; nil where none comes of its tags, so that it is not recorded.
    ///
    /// Tags never lead to another folder. A tag outside of all groups that is not there is written `Unknown`,
    /// so that no file is without a name.
    /// - Parameter time: when the title begins, in seconds since 1970.
    package func path(for tags: [TagValue], at time: Int) -> String? {
        var scribe = RecordingScribe(text, tags, at: time)
        guard var path = try? scribe.write() else { return nil }
        if path.utf8.starts(with: "~/".utf8), let home { path = home + String(path.unicodeScalars.dropFirst()) }
        guard path.isAbsolutePath, !path.endsWithSlash else { return nil }
        if path.pathParts.contains(where: { $0.utf8.count > Self.maxNameLength }) {
            path = path.pathParts.map { "/" + Self.fitting($0) }.joined()
        }
        return path.utf8.count < Int(PATH_MAX) ? path : nil
    }

    /// File systems take 255 bytes for a name; a number may still come to it.
    private static let maxNameLength = 240

    private static func fitting(_ name: Substring) -> String {
        guard name.utf8.count > maxNameLength else { return String(name) }
        let scalars = name.unicodeScalars
        let dot = scalars.lastIndex(of: ".").flatMap { name.utf8[$0...].count <= 20 ? $0 : nil } ?? scalars.endIndex
        let ending = String(scalars[dot...])
        return String(scalars[..<dot]).prefix(utf8: maxNameLength - ending.utf8.count) + ending
    }
}

/// Reads a format and writes a title's path at the same time.
struct RecordingScribe {
    private var rest: Substring.UnicodeScalarView
    private let tags: [TagValue]
    private let time: Int

    init(_ format: String, _ tags: [TagValue], at time: Int) {
        (rest, self.tags, self.time) = (format[...].unicodeScalars, tags, time)
    }

    private static let maxDepth = 16

    mutating func write() throws(SettingProblem) -> String {
        let text = try writeGroup(depth: 0).text
        guard rest.isEmpty else {
            throw SettingProblem("has a \"]\" without a \"[\" before it; a bracket in a name is written \"#]\"")
        }
        return text
    }

    /// Writes up to the end of a group, which is left to the caller; `isFound` says whether the title has any of it.
    private mutating func writeGroup(depth: Int) throws(SettingProblem) -> (text: String, isFound: Bool) {
        guard depth <= Self.maxDepth else {
            throw SettingProblem("has more than \(Self.maxDepth) groups in each other")
        }
        var (text, isFound, isTaken) = ("", false, true)
        func add(_ piece: String, isFound found: Bool = false) {
            guard isTaken else { return }
            text += piece
            isFound = isFound || found
        }
        while let scalar = rest.first, scalar != "]" {
            rest.removeFirst()
            switch scalar {
            case "|":
                isTaken = !isFound
                if isTaken { text = "" }
            case "&": (isTaken, isFound) = (isFound, false)
            case "[":
                let group = try writeGroup(depth: depth + 1)
                guard rest.popFirst() != nil else {
                    throw SettingProblem(
                        "has a \"[\" without a \"]\" after it; a bracket in a name is written \"#[\"")
                }
                if group.isFound { add(group.text, isFound: true) }
            case "#": add(String(rest.popFirst() ?? "#"))
            case "\\": add(String(readEscaped()))
            case "%":
                let value = readVariable(isInGroup: depth > 0)
                add(value.text, isFound: value.isFound)
            default: add(String(scalar))
            }
        }
        return (text, isFound)
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

    /// The text that a percent sign begins, which may be no more than that sign.
    private mutating func readVariable(isInGroup: Bool) -> (text: String, isFound: Bool) {
        let name = rest.prefix { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_") }
        let behind = rest[name.endIndex...]
        if behind.first == "%", let value = value(of: String(name).lowercased(), isInGroup) {
            rest = behind.dropFirst()
            return value
        }
        if let letter = rest.first, ["Y", "m", "d", "H", "M", "S"].contains(letter) {
            rest.removeFirst()
            return (text(of: localtime_r, "%\(letter)"), true)
        }
        if rest.first == "%" { rest.removeFirst() }
        return ("%", false)
    }

    private func value(of name: String, _ isInGroup: Bool) -> (text: String, isFound: Bool)? {
        if name == "iso8601" { return (text(of: gmtime_r, "%Y-%m-%dT%H:%M:%SZ"), true) }
        guard let tag = Tag.allCases.first(where: { "\($0.wireName)".lowercased() == name }) else { return nil }
        guard let value = tags.first(where: { $0.tag == tag })?.value, !value.isEmpty else {
            return (isInGroup ? "" : "Unknown", false)
        }
        return (Self.component(value), true)
    }

    private typealias Clock = (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?

    private func text(of clock: Clock, _ format: String) -> String {
        var (seconds, parts) = (time, tm())
        _ = clock(&seconds, &parts)
        return String(unsafeUninitializedCapacity: 64) { bytes in
            bytes.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, format, &parts) }
        }
    }

    /// Names of files have at most 255 bytes, and other words may stand in them.
    private static let maxValueLength = 100

    /// A value as a part of a file's name: without slashes, control characters and a dot in front.
    private static func component(_ value: String) -> String {
        let scalars = value.unicodeScalars.map { $0 == "/" || $0.properties.generalCategory == .control ? "_" : $0 }
        let text = String(String.UnicodeScalarView(scalars)).prefix(utf8: maxValueLength)
        return text.hasPrefix(".") ? "_" + text.dropFirst() : text
    }
}
