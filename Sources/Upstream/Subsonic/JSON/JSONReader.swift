/// Why bytes are not the JSON that was expected.
package struct JSONProblem: Error, Hashable, Sendable, CustomStringConvertible {
    let reason: String
    /// The byte at which it showed.
    let offset: Int

    package var description: String { "\(reason) (byte \(offset))" }
}

/// Reads JSON in place, value by value, straight into the caller's types.
///
/// Foundation's decoder needs many seconds for a library of 50,000 songs. This one accepts the grammar of RFC 8259 only
/// (except for escapes in skipped strings, which are not read); the typed reads are lenient about which kind of value
/// stands there, since servers differ. It is valid only while its buffer is, and throws `JSONProblem`.
package struct JSONReader {
    /// The kinds of values, told by their first byte.
    package enum Kind: Hashable, Sendable {
        case object, array, string, number, bool, null
    }

    /// Deeper nesting than any answer has, shallow enough for every stack.
    static let maxDepth = 64

    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var depth = 0

    /// Starts at the first byte.
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }
    /// Makes the error for the current place.
    package func problem(_ reason: String) -> JSONProblem { JSONProblem(reason: reason, offset: position) }

    /// Checks that nothing but white space is left.
    package mutating func end() throws {
        skipSpace()
        if position < bytes.count { throw problem("unexpected text after the end") }
    }

    // MARK: Structure

    /// The kind of the next value, which stays unread.
    package mutating func peek() throws -> Kind {
        skipSpace()
        guard let byte else { throw problem("the end came too early") }
        switch byte {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        default: throw problem("invalid start of a value")
        }
    }

    /// Reads an object; anything else is skipped and false. `body` is given each member's name, valid only during the
    /// call, and reads its value.
    @discardableResult
    package mutating func members(_ body: (inout JSONReader, UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
        guard try peek() == .object else {
            try skip()
            return false
        }
        try enter()
        if try isClosed(by: UInt8(ascii: "}")) { return true }
        repeat {
            skipSpace()
            guard byte == UInt8(ascii: "\"") else { throw problem("a member's name is missing") }
            let name = try scanString()
            skipSpace()
            guard byte == UInt8(ascii: ":") else { throw problem("a colon is missing") }
            position += 1
            if name.isPlain {
                try body(&self, name.content)
            } else {
                try Array(unescape(name.content).utf8).withUnsafeBytes { try body(&self, $0) }
            }
        } while try goesOn(until: UInt8(ascii: "}"))
        return true
    }

    /// Reads the elements of an array; anything else but null is taken for its only one, as old servers write it.
    package mutating func elements(_ body: (inout JSONReader) throws -> Void) throws {
        switch try peek() {
        case .null: return try skip()
        case .array: break
        case .object, .string, .number, .bool: return try body(&self)
        }
        try enter()
        if try isClosed(by: UInt8(ascii: "]")) { return }
        repeat {
            try body(&self)
        } while try goesOn(until: UInt8(ascii: "]"))
    }

    /// Reads over the next value, whatever it is.
    package mutating func skip() throws {
        switch try peek() {
        case .object: try members { reader, _ in try reader.skip() }
        case .array: try elements { reader in try reader.skip() }
        case .string: _ = try scanString()
        case .number: _ = try scanNumber()
        case .bool: _ = try scanBool()
        case .null: try expect("null")
        }
    }

    private mutating func enter() throws {
        depth += 1
        if depth > Self.maxDepth { throw problem("too deeply nested") }
        position += 1
    }

    private mutating func isClosed(by closing: UInt8) throws -> Bool {
        skipSpace()
        guard byte == closing else { return false }
        position += 1
        depth -= 1
        return true
    }

    private mutating func goesOn(until closing: UInt8) throws -> Bool {
        skipSpace()
        switch byte {
        case UInt8(ascii: ","):
            position += 1
            return true
        case closing:
            position += 1
            depth -= 1
            return false
        case nil: throw problem("the end came too early")
        default: throw problem("a comma is missing")
        }
    }

    // MARK: Values

    /// A text: a string, or a number or boolean as it is written. Nil for null, arrays and objects.
    package mutating func text() throws -> String? {
        switch try peek() {
        case .string:
            let scanned = try scanString()
            return scanned.isPlain ? String(decoding: scanned.content, as: UTF8.self) : try unescape(scanned.content)
        case .number: return String(decoding: try scanNumber().content, as: UTF8.self)
        case .bool: return try scanBool() ? "true" : "false"
        case .object, .array, .null:
            try skip()
            return nil
        }
    }

    /// A whole number: one that is written so, with its fraction cut off, or as a string. Nil for anything else.
    mutating func integer() throws -> Int64? {
        switch try peek() {
        case .number:
            let scanned = try scanNumber()
            if scanned.isWhole { return Self.wholeNumber(scanned.content) }
            return Double(String(decoding: scanned.content, as: UTF8.self)).flatMap {
                Int64(exactly: $0.rounded(.towardZero))
            }
        case .string:
            return try text().flatMap { Int64($0) }
        case .object, .array, .bool, .null:
            try skip()
            return nil
        }
    }

    /// A number, written as one or as a string. Nil for anything else, and for what is not finite.
    package mutating func double() throws -> Double? {
        switch try peek() {
        case .number, .string: return try text().flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
        case .object, .array, .bool, .null:
            try skip()
            return nil
        }
    }

    /// A truth value, written as one, as 0 or 1, or as a string. Nil for anything else.
    package mutating func bool() throws -> Bool? {
        switch try peek() {
        case .bool: return try scanBool()
        case .number, .string:
            switch try text() {
            case "true", "1": return true
            case "false", "0": return false
            default: return nil
            }
        case .object, .array, .null:
            try skip()
            return nil
        }
    }

    private static func wholeNumber(_ digits: UnsafeRawBufferPointer) -> Int64? {
        var value: Int64 = 0
        let isNegative = digits.first == UInt8(ascii: "-")
        for digit in digits.dropFirst(isNegative ? 1 : 0) {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.subtractingReportingOverflow(Int64(digit &- UInt8(ascii: "0")))
            if overflow || carry { return nil }
            value = sum
        }
        // Summed up below zero, where one more value fits.
        return isNegative ? value : (value == .min ? nil : -value)
    }

    // MARK: Bytes

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func expect(_ word: StaticString) throws {
        for offset in 0..<word.utf8CodeUnitCount {
            guard byte == word.utf8Start[offset] else { throw problem("invalid value") }
            position += 1
        }
    }

    private mutating func scanBool() throws -> Bool {
        if byte == UInt8(ascii: "t") {
            try expect("true")
            return true
        }
        try expect("false")
        return false
    }

    /// Reads a string from its opening to its closing quote.
    /// - Returns: what stands between them, and whether it is free of escapes.
    private mutating func scanString() throws -> (content: UnsafeRawBufferPointer, isPlain: Bool) {
        var index = position + 1
        let start = index
        var isPlain = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                return (UnsafeRawBufferPointer(rebasing: bytes[start..<index]), isPlain)
            }
            if byte < 0x20 {
                position = index
                throw problem("a string contains a control character")
            }
            if byte == UInt8(ascii: "\\") {
                isPlain = false
                // The byte after it can't end the string; whether it may stand there shows when it is unescaped.
                index += 1
            }
            index += 1
        }
        position = bytes.count
        throw problem("a string has no end")
    }

    private mutating func scanNumber() throws -> (content: UnsafeRawBufferPointer, isWhole: Bool) {
        let start = position
        var isWhole = true
        if byte == UInt8(ascii: "-") { position += 1 }
        let leading = position
        try skipDigits()
        if bytes[leading] == UInt8(ascii: "0"), position > leading + 1 { throw problem("a number begins with 0") }
        if byte == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try skipDigits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        return (UnsafeRawBufferPointer(rebasing: bytes[start..<position]), isWhole)
    }

    private mutating func skipDigits() throws {
        let start = position
        while let byte, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        if position == start { throw problem("a digit is missing") }
    }
}
