import Foundation
import MusicModel

/// Reads an `mpd.conf` with what it includes. A line that can't be understood is noted and left out, so that one slip
/// doesn't keep the rest from being taken over.
struct MPDSettingsReader {
    private static let maxFile = 1 << 20
    private static let maxFiles = 100
    private static let maxEntries = 10_000

    private var settings = MPDSettings()
    private var filesRead = 0
    private var entries = 0
    private var includes = true

    static func read(_ path: String) throws(MPDImportError) -> MPDSettings {
        var reader = Self()
        try reader.readFile(path, including: [])
        return reader.settings
    }

    /// Reads a text as `mpd.conf`; files that it includes are left out.
    static func parse(_ text: String) -> MPDSettings {
        var reader = Self()
        reader.includes = false
        reader.readText(text, file: "mpd.conf", including: [])
        return reader.settings
    }

    private mutating func readFile(_ path: String, including parents: [String]) throws(MPDImportError) {
        guard !parents.contains(path) else { return settings.problems.append("\(path) includes itself") }
        guard filesRead < Self.maxFiles else {
            return settings.problems.append("\(path) is skipped: more than \(Self.maxFiles) files are included")
        }
        filesRead += 1
        readText(try BoundedFile.text(at: path, atMost: Self.maxFile), file: path, including: parents + [path])
    }

    private mutating func readText(_ text: String, file path: String, including parents: [String]) {
        var lines = MPDLines(text)
        var block: MPDSettings.Block?
        var number = 0
        while let line = lines.next() {
            number += 1
            let place = MPDSettings.Place(file: path, line: number)
            do {
                try readLine(line, at: place, block: &block, including: parents)
            } catch { settings.problems.append("\(place): \(error.message)") }
        }
        if let block { settings.problems.append("\(block.place): the block \(block.name) has no end") }
    }

    private mutating func readLine(
        _ line: Substring, at place: MPDSettings.Place, block: inout MPDSettings.Block?, including parents: [String]
    ) throws(MPDImportError) {
        var scanner = SettingScanner(line)
        guard !scanner.isAtEnd else { return }
        if block != nil, scanner.take("}") {
            block.take().map { settings.blocks.append($0) }
            return try scanner.expectEnd()
        }
        let name = try scanner.word()
        entries += 1
        guard entries <= Self.maxEntries else { throw MPDImportError("there are too many settings") }
        if block == nil, scanner.take("{") {
            block = MPDSettings.Block(name: name, place: place)
            return try scanner.expectEnd()
        }
        let value = try scanner.value()
        try scanner.expectEnd()
        if block != nil {
            block?.parameters.append(.init(name: name, value: value, place: place))
        } else if name == "include" || name == "include_optional" {
            guard includes else { return }
            try include(value, from: place.file, isOptional: name == "include_optional", including: parents)
        } else {
            settings.parameters.append(.init(name: name, value: value, place: place))
        }
    }

    private mutating func include(
        _ pattern: String, from file: String, isOptional: Bool, including parents: [String]
    ) throws(MPDImportError) {
        let folder = (file as NSString).deletingLastPathComponent
        let full = MPDPaths().absolute(pattern, in: folder)
        let paths = full.contains(where: { "*?[".contains($0) }) ? Self.matching(full) : [full]
        if paths.isEmpty, !isOptional { throw MPDImportError("nothing matches \(pattern)") }
        for path in paths where !isOptional || FileManager.default.fileExists(atPath: path) {
            try readFile(path, including: parents)
        }
    }

    private static func matching(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<min(Int(clamping: found.gl_pathc), maxFiles)).compactMap { index in
            found.gl_pathv[index].map { String(cString: $0) }
        }
    }
}

/// The parts of one line of an `mpd.conf`. It goes by scalars: a quote stays one whatever follows it.
struct SettingScanner {
    private var rest: Substring.UnicodeScalarView

    init(_ line: Substring) {
        rest = line.unicodeScalars
        skipSpaces()
    }

    var isAtEnd: Bool { rest.isEmpty || rest.first == "#" }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == character else { return false }
        rest = rest.dropFirst()
        skipSpaces()
        return true
    }

    /// A name: letters, digits and underscores.
    mutating func word() throws(MPDImportError) -> String {
        let word = rest.prefix { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_") }
        guard word.first?.properties.isAlphabetic == true else { throw MPDImportError("a setting's name is expected") }
        rest = rest.dropFirst(word.count)
        guard rest.first.map({ Self.isSpace($0) || $0 == "{" || $0 == "\"" }) ?? true else {
            throw MPDImportError("\(Substring(word)) is not a setting's name")
        }
        skipSpaces()
        return String(word)
    }

    /// A value: in double quotes, where a backslash keeps the next character, or a bare word.
    mutating func value() throws(MPDImportError) -> String {
        guard rest.first == "\"" else {
            let word = rest.prefix { !Self.isSpace($0) && $0 != "\"" && $0 != "'" }
            guard !word.isEmpty, word.first != "#" else { throw MPDImportError("the value is missing") }
            rest = rest.dropFirst(word.count)
            skipSpaces()
            return String(word)
        }
        rest = rest.dropFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\"" {
                skipSpaces()
                return String(value)
            }
            guard scalar == "\\" else {
                value.append(scalar)
                continue
            }
            if let kept = rest.popFirst() { value.append(kept) }
        }
        throw MPDImportError("the closing \" is missing")
    }

    func expectEnd() throws(MPDImportError) {
        if !isAtEnd { throw MPDImportError("there is text after the value: \(Substring(rest).prefix(utf8: 40))") }
    }

    private mutating func skipSpaces() { rest = rest.drop(while: Self.isSpace) }

    /// MPD takes every control character for a space.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.value <= 0x20 }
}

/// The settings of an `mpd.conf`, as they stand in the file and the files that it includes.
/// - Source: MPD v0.24.13 src/config/File.cxx; names are kept as written, known or not.
struct MPDSettings: Sendable {
    /// A setting outside of a block: `name "value"`.
    struct Parameter: Hashable, Sendable {
        var name: String
        var value: String
        var place: Place
    }

    /// A block: `name { … }`.
    struct Block: Hashable, Sendable {
        var name: String
        var parameters: [Parameter] = []
        var place: Place

        subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
    }

    /// A line of a file, counted from 1.
    struct Place: Hashable, Sendable, CustomStringConvertible {
        var file: String
        var line: Int

        var description: String { "\(file):\(line)" }
    }

    /// All parameters in their order; of one that may stand only once the last counts.
    var parameters: [Parameter] = []
    var blocks: [Block] = []
    /// Lines that could not be read, each as a sentence with its place. MPD would not start with them.
    var problems: [String] = []

    /// The last value of a parameter; nil where it is missing.
    subscript(name: String) -> String? { parameters.last { $0.name == name }?.value }

    func values(_ name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }
}
