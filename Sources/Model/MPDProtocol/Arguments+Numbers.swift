import MusicModel

// Numbers, ranges and times; the texts of errors are MPD's own (v0.24.13 src/protocol/ArgParser.cxx).

extension AckError {
    /// A wrong argument, repeated to the client cut to what a line can hold.
    package static func badArgument(_ message: String, _ value: String) -> AckError {
        .thrown(.argument, "\(message): \(value.prefix(utf8: 200))")
    }

    /// A word that is none of those that it may be, repeated as it is.
    static func unknownWord(_ message: String, _ word: String) -> AckError {
        AckError(.argument, "\(message): \(word.prefix(utf8: 200))")
    }
}

extension Arguments {
    /// Takes the next argument; throws where a command declared fewer arguments than it takes.
    package mutating func string() throws(AckError) -> String {
        guard let value = next() else { throw AckError(.argument, "Not enough arguments") }
        return value
    }

    /// Takes a signed integer.
    package mutating func integer(
        in limits: ClosedRange<Int> = Int(Int32.min)...Int(Int32.max)
    ) throws(AckError) -> Int {
        let text = try string()
        guard let value = NumberScanner.wholeInteger(text) else { throw .badArgument("Integer expected", text) }
        guard limits.contains(value) else { throw .badArgument("Number too large", text) }
        return value
    }

    /// Takes an integer from 0 to `maximum`; negative numbers are called too large, too.
    package mutating func unsigned(maximum: Int = Int(UInt32.max)) throws(AckError) -> Int {
        try Self.unsigned(try string(), maximum: maximum)
    }

    static func unsigned(_ text: String, maximum: Int = Int(UInt32.max)) throws(AckError) -> Int {
        guard let value = NumberScanner.wholeInteger(text) else { throw .badArgument("Integer expected", text) }
        guard value >= 0, value <= maximum else { throw .badArgument("Number too large", text) }
        return value
    }

    /// Takes a queue version, which wraps: `-1` and everything beyond 64 bits is the largest version there is.
    package mutating func version() throws(AckError) -> UInt32 {
        let text = try string()
        guard let value = NumberScanner.wholeInteger(text) else { throw .badArgument("Integer expected", text) }
        return value == .max ? .max : UInt32(truncatingIfNeeded: value)
    }

    /// Takes a range: `5`, `2:7`, `2:`, or `-1` for everything.
    package mutating func range() throws(AckError) -> ArgumentRange {
        let text = try string()
        var scanner = NumberScanner(text)
        guard let start = scanner.integer() else { throw .badArgument("Integer or range expected", text) }
        let isSingle = scanner.isAtEnd
        guard isSingle || scanner.skip(UInt8(ascii: ":")) else { throw .badArgument("Integer or range expected", text) }
        if isSingle, start == -1 { return .everything }
        try Self.checkPosition(start, text)
        if isSingle { return ArgumentRange(start, start + 1) }
        if scanner.isAtEnd { return ArgumentRange(start, nil) }
        guard let end = scanner.integer(), scanner.isAtEnd else {
            throw .badArgument("Integer or range expected", text)
        }
        try Self.checkPosition(end, text)
        guard start <= end else { throw .badArgument("Malformed range", text) }
        return ArgumentRange(start, end)
    }

    private static func checkPosition(_ value: Int, _ text: String) throws(AckError) {
        if value < 0 { throw .badArgument("Number is negative", text) }
        if value > Int(Int32.max) { throw .badArgument("Number too large", text) }
    }

    /// Takes a place in the queue: `7`, or `+N` and `-N` from the current song.
    package mutating func position() throws(AckError) -> ArgumentPosition { try Self.position(try string()) }

    static func position(_ text: String) throws(AckError) -> ArgumentPosition {
        switch text.utf8.first {
        case UInt8(ascii: "+"): .afterCurrent(try unsigned(String(text.dropFirst())))
        case UInt8(ascii: "-"): .beforeCurrent(try unsigned(String(text.dropFirst())))
        default: .absolute(try unsigned(text))
        }
    }

    /// Takes `0` or `1`.
    package mutating func boolean() throws(AckError) -> Bool {
        let text = try string()
        switch NumberScanner.wholeInteger(text) {
        case 0: return false
        case 1: return true
        default: throw .badArgument("Boolean (0/1) expected", text)
        }
    }

    /// Takes a finite decimal number.
    package mutating func float() throws(AckError) -> Double { try Self.float(try string()) }

    private static func float(_ text: String) throws(AckError) -> Double {
        guard let value = NumberScanner.wholeFloat(text) else { throw .badArgument("Float expected", text) }
        return value
    }

    /// Takes a place in a song, in seconds.
    package mutating func time() throws(AckError) -> Duration {
        let text = try string()
        let seconds = try Self.float(text)
        guard seconds >= 0 else { throw .badArgument("Negative value not allowed", text) }
        return Self.duration(seconds)
    }

    /// Takes a place in the current song: `12.5`, or `+5` and `-5` from where it is.
    package mutating func seekTarget() throws(AckError) -> SeekTarget {
        let text = try string()
        let time = Self.duration(try Self.float(text))
        let isRelative = text.utf8.first == UInt8(ascii: "+") || text.utf8.first == UInt8(ascii: "-")
        return isRelative ? .relative(time) : .absolute(time)
    }

    /// Seconds as milliseconds, bounded so that no arithmetic on them can overflow.
    private static func duration(_ seconds: Double) -> Duration {
        .milliseconds(Int64((min(max(seconds, -1e9), 1e9) * 1000).rounded()))
    }

    /// Takes a range of times within a song: `START:END` in seconds, where both may be absent; `:` is the whole song.
    package mutating func timeRange() throws(AckError) -> (start: Duration, end: Duration?) {
        let bounds = try string().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else { throw AckError(.argument, "Bad range") }
        let start = bounds[0].isEmpty ? 0 : NumberScanner.wholeFloat(String(bounds[0]))
        let end = bounds[1].isEmpty ? nil : NumberScanner.wholeFloat(String(bounds[1]))
        guard let start, start >= 0, bounds[1].isEmpty || end.map({ $0 >= 0 }) == true else {
            throw AckError(.argument, "Bad range")
        }
        let (first, last) = (Self.offset(start), Self.offset(end ?? 0))
        // An end of 0 is the song's own.
        guard last > first || last == .zero else { throw AckError(.argument, "Bad range") }
        return (first, last == .zero ? nil : last)
    }

    /// Seconds as an offset in a song: whole milliseconds, cut off after single precision.
    private static func offset(_ seconds: Double) -> Duration {
        .milliseconds(Int64(min(Float(seconds) * 1000, Float(UInt32.max))))
    }
}

/// Reads numbers as C's `strtol` and `strtod` do, on which MPD's leniency rests: leading space, a sign, saturation.
struct NumberScanner {
    private let bytes: [UInt8]
    private(set) var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }
    var isAtEnd: Bool { index == bytes.count }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    /// The integer that comes next, at the bounds of `Int` if it is larger; nil, and nothing is consumed, without one.
    mutating func integer() -> Int? {
        var cursor = index
        while cursor < bytes.count, bytes[cursor] == 0x20 || (9...13).contains(bytes[cursor]) { cursor += 1 }
        var isNegative = false
        if cursor < bytes.count, bytes[cursor] == UInt8(ascii: "-") || bytes[cursor] == UInt8(ascii: "+") {
            isNegative = bytes[cursor] == UInt8(ascii: "-")
            cursor += 1
        }
        let digits = cursor
        var value = 0
        while cursor < bytes.count, bytes[cursor].isDigit {
            let digit = Int(bytes[cursor] - UInt8(ascii: "0"))
            value = Self.append(isNegative ? -digit : digit, to: value)
            cursor += 1
        }
        guard cursor > digits else { return nil }
        index = cursor
        return value
    }

    private static func append(_ digit: Int, to value: Int) -> Int {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        if overflow { return value < 0 ? .min : .max }
        let (sum, overflowsAgain) = product.addingReportingOverflow(digit)
        return overflowsAgain ? (value < 0 ? .min : .max) : sum
    }

    static func wholeInteger(_ text: String) -> Int? {
        var scanner = NumberScanner(text)
        guard let value = scanner.integer(), scanner.isAtEnd else { return nil }
        return value
    }

    static func wholeFloat(_ text: String) -> Double? {
        let trimmed = text.drop { $0 == " " || $0 == "\t" }
        guard let value = Double(trimmed), value.isFinite else { return nil }
        return value
    }
}
