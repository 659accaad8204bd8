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

    /// The integer that comes next, at the bounds of `Int` if it is larger; nil, and nothing is consumed, without
    /// digits.
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
