import MusicModel

/// Parses one filter expression.
/// - Wire: `(SUBJECT OPERATOR 'value')`, `(base 'x')`, `(modified-since 't')`, `(added-since 't')`,
///   `(AudioFormat == 'x')`, `(prio >= n)`, `(!EXPRESSION)`, `(EXPRESSION AND EXPRESSION ...)`. Example:
///   `((Artist == "x") AND (!(Album contains 'y')))`
/// - Shape: values stand in single or double quotes, where `\x` means x. `AND` is upper case, word operators are in any
///   case and followed by a space.
/// - Source: MPD v0.24.13 src/song/Filter.cxx.
struct FilterExpression {
    /// How deeply expressions may be nested; MPD's only limit is its line length.
    private static let depthLimit = 64

    private let bytes: [UInt8]
    private let foldsCase: Bool
    private var index = 0

    /// Parses a text that begins with a parenthesis and must be one whole expression.
    static func parse(_ text: String, foldsCase: Bool) throws(AckError) -> SongFilter {
        var parser = FilterExpression(bytes: Array(text.utf8), foldsCase: foldsCase)
        let filter = try parser.expression(depth: 0)
        guard parser.index == parser.bytes.count else { throw .filter("Unparsed garbage after expression") }
        return filter
    }

    private init(bytes: [UInt8], foldsCase: Bool) {
        self.bytes = bytes
        self.foldsCase = foldsCase
    }

    private mutating func expression(depth: Int) throws(AckError) -> SongFilter {
        guard depth < Self.depthLimit else { throw .filter("Filter is nested too deeply") }
        guard index < bytes.count else { throw .filter("Word expected") }
        // MPD takes whatever stands here for the parenthesis, and its users hear about what follows.
        advance(1)
        switch peek() {
        case UInt8(ascii: "("): return try conjunction(depth: depth + 1)
        case UInt8(ascii: "!"): return try negation(depth: depth + 1)
        default: return try comparison()
        }
    }

    /// Parses `EXPRESSION [AND EXPRESSION]...)`.
    private mutating func conjunction(depth: Int) throws(AckError) -> SongFilter {
        var parts = [try expression(depth: depth)]
        while !skipClosing() {
            guard try word() == "AND" else { throw .filter("'AND' expected") }
            parts.append(try expression(depth: depth))
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    /// Parses `!EXPRESSION)`.
    private mutating func negation(depth: Int) throws(AckError) -> SongFilter {
        advance(1)
        guard peek() == UInt8(ascii: "(") else { throw .filter("'(' expected") }
        let inner = try expression(depth: depth)
        try expectClosing()
        return .not(inner)
    }

    private mutating func comparison() throws(AckError) -> SongFilter {
        let name = try word()
        guard let kind = FilterKind(name) else { throw .filter("Unknown filter type: \(name.prefix(utf8: 200))") }
        let filter: SongFilter =
            switch kind {
            case .base: .base(try quoted())
            case .modifiedSince: .modifiedSince(try closedTimeStamp())
            case .addedSince: .addedSince(try closedTimeStamp())
            case .audioFormat: .audioFormat(try audioFormat())
            case .priority: .priority(try priority())
            case .text(let subject): .text(subject, try stringTest())
            }
        try expectClosing()
        return filter
    }

    private mutating func closedTimeStamp() throws(AckError) -> Int64 {
        let value = try quoted()
        // A missing parenthesis is reported before a wrong time, as MPD does.
        guard peek() == UInt8(ascii: ")") else { throw .filter("')' expected") }
        return try TimeStamp.parse(value)
    }

    private mutating func audioFormat() throws(AckError) -> AudioFormat {
        let isMask = skip("=~")
        guard isMask || skip("==") else { throw .filter("'==' or '=~' expected") }
        skipSpace()
        return try AudioFormat(parsing: try quoted(), isMask: isMask)
    }

    private mutating func priority() throws(AckError) -> Int {
        guard skip(">=") else { throw .filter("'>=' expected") }
        skipSpace()
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        let start = index
        var value = 0
        while peek().isDigit {
            value = min(value * 10 + Int(peek() - UInt8(ascii: "0")), 1000)
            index += 1
        }
        guard index > start else { throw .filter("Number expected") }
        guard value <= 255, !isNegative || value == 0 else { throw .filter("Invalid priority value") }
        return value
    }

    private static let wordOperators: [(prefix: StaticString, operator: StringTest.Operator, foldsCase: Bool?)] = [
        ("contains_cs ", .contains, false), ("contains_ci ", .contains, true), ("contains ", .contains, nil),
        ("starts_with_cs ", .startsWith, false), ("starts_with_ci ", .startsWith, true),
        ("starts_with ", .startsWith, nil), ("eq_cs ", .equals, false), ("eq_ci ", .equals, true),
    ]

    private mutating func stringTest() throws(AckError) -> StringTest {
        let start = index
        let isNegated = skip("!")
        for word in Self.wordOperators where skipIgnoringCase(word.prefix) {
            skipSpace()
            return StringTest(word.operator, try quoted(), foldsCase: word.foldsCase ?? foldsCase, isNegated: isNegated)
        }
        index = start
        for (symbol, kind, isNegated) in Self.symbolOperators where skip(symbol) {
            skipSpace()
            return StringTest(kind, try quoted(), foldsCase: foldsCase, isNegated: isNegated)
        }
        let rest = String(decoding: bytes[index...].prefix(200), as: UTF8.self)
        throw .filter("Unknown filter operator: \(rest)")
    }

    private static let symbolOperators: [(StaticString, StringTest.Operator, Bool)] = [
        ("=~", .regularExpression, false), ("!~", .regularExpression, true), ("==", .equals, false),
        ("!=", .equals, true),
    ]

    private mutating func word() throws(AckError) -> String {
        let start = index
        while peek().isLetter || peek() == UInt8(ascii: "_") || peek() == UInt8(ascii: "-") { index += 1 }
        guard index > start else { throw .filter("Word expected") }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        skipSpace()
        return word
    }

    private mutating func quoted() throws(AckError) -> String {
        let quote = peek()
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw .filter("Quoted string expected") }
        index += 1
        var value: [UInt8] = []
        while peek() != quote {
            if peek() == UInt8(ascii: "\\") { index += 1 }
            guard index < bytes.count else { throw .filter("Closing quote not found") }
            value.append(bytes[index])
            index += 1
            guard value.count < 4096 else { throw .filter("Quoted value is too long") }
        }
        advance(1)
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func expectClosing() throws(AckError) {
        guard skipClosing() else { throw .filter("')' expected") }
    }

    private mutating func skipClosing() -> Bool {
        guard peek() == UInt8(ascii: ")") else { return false }
        advance(1)
        return true
    }

    /// The next byte; 0 at the end, which no text contains.
    private func peek() -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func advance(_ count: Int) {
        index += count
        skipSpace()
    }

    private mutating func skipSpace() { while index < bytes.count, bytes[index] <= 0x20 { index += 1 } }

    private mutating func skip(_ text: StaticString) -> Bool {
        let matches = text.withUTF8Buffer { bytes[index...].starts(with: $0) }
        if matches { index += text.utf8CodeUnitCount }
        return matches
    }

    private mutating func skipIgnoringCase(_ text: StaticString) -> Bool {
        let matches = text.withUTF8Buffer { text in
            bytes.count - index >= text.count && zip(text, bytes[index...]).allSatisfy { $0 == $1.lowercased }
        }
        if matches { index += text.utf8CodeUnitCount }
        return matches
    }
}
