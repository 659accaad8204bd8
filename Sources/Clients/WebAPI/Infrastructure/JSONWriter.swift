package import NIOCore

/// Writes JSON into a buffer as it goes: rows are written from where they lie, without values in between.
package struct JSONWriter {
    /// The bytes written so far.
    package private(set) var buffer: ByteBuffer
    private var needsComma = false

    /// Makes an empty writer with room for `capacity` bytes.
    package init(capacity: Int = 1024) { buffer = ByteBufferAllocator().buffer(capacity: capacity) }

    // MARK: Objects and arrays

    /// Writes an object, whose fields `body` writes.
    package mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        begin(UInt8(ascii: "{"))
        try body(&self)
        end(UInt8(ascii: "}"))
    }

    /// Writes an array, whose elements `body` writes.
    package mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
        begin(UInt8(ascii: "["))
        try body(&self)
        end(UInt8(ascii: "]"))
    }

    /// Writes a field that is an object.
    package mutating func object(_ key: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
        name(key)
        try object(body)
    }

    /// Writes a field that is an array.
    package mutating func array(_ key: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
        name(key)
        try array(body)
    }

    /// Writes a field that is an array with an element for each value.
    package mutating func array<Element>(
        _ key: StaticString, _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        try array(key) { for element in elements { try body(&$0, element) } }
    }

    // MARK: Fields

    /// Writes a field.
    package mutating func field(_ key: StaticString, _ value: String?) {
        name(key)
        if let value { self.value(value) } else { null() }
    }

    /// Writes a field.
    package mutating func field(_ key: StaticString, _ value: Int?) {
        name(key)
        if let value { self.value(value) } else { null() }
    }

    /// Writes a field.
    package mutating func field(_ key: StaticString, _ value: Bool) {
        name(key)
        self.value(value)
    }

    /// Writes a field.
    package mutating func field(_ key: StaticString, _ value: Double?) {
        name(key)
        if let value { self.value(value) } else { null() }
    }

    /// Writes a field in seconds, with three decimals at most.
    package mutating func field(_ key: StaticString, _ value: Duration?) { field(key, value.map(Self.seconds)) }

    /// Writes a field whose value `body` writes.
    package mutating func field(_ key: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
        name(key)
        try body(&self)
        needsComma = true
    }

    /// Writes a field that is a list of texts.
    package mutating func field(_ key: StaticString, _ values: [String]) {
        array(key, values) { $0.value($1) }
    }

    /// Writes a field whose name is no constant.
    package mutating func field(named key: String, _ value: String) {
        self.value(key)
        buffer.writeInteger(UInt8(ascii: ":"))
        needsComma = false
        self.value(value)
    }

    // MARK: Values

    /// Writes a text.
    package mutating func value(_ value: String) {
        comma()
        text(value)
        needsComma = true
    }

    /// Writes a number.
    package mutating func value(_ value: Int) {
        comma()
        buffer.writeString(String(value))
        needsComma = true
    }

    /// Writes a number; what is none becomes null.
    package mutating func value(_ value: Double) {
        guard value.isFinite else { return null() }
        guard let whole = Int(exactly: value), whole.magnitude < 1 << 53 else {
            comma()
            buffer.writeString("\(value)")
            needsComma = true
            return
        }
        self.value(whole)
    }

    /// Writes true or false.
    package mutating func value(_ value: Bool) {
        comma()
        buffer.writeStaticString(value ? "true" : "false")
        needsComma = true
    }

    /// Writes null.
    package mutating func null() {
        comma()
        buffer.writeStaticString("null")
        needsComma = true
    }

    /// Writes JSON that was written before.
    package mutating func raw(_ json: ByteBuffer) {
        comma()
        buffer.writeImmutableBuffer(json)
        needsComma = true
    }

    // MARK: Parts

    private mutating func name(_ key: StaticString) {
        comma()
        buffer.writeInteger(UInt8(ascii: "\""))
        buffer.writeStaticString(key)
        buffer.writeStaticString("\":")
        needsComma = false
    }

    private mutating func begin(_ bracket: UInt8) {
        comma()
        buffer.writeInteger(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        buffer.writeInteger(bracket)
        needsComma = true
    }

    private mutating func comma() { if needsComma { buffer.writeInteger(UInt8(ascii: ",")) } }

    private mutating func text(_ value: String) {
        var value = value
        buffer.writeInteger(UInt8(ascii: "\""))
        value.withUTF8 { bytes in
            var start = 0
            for (index, byte) in bytes.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
                buffer.writeBytes(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<index]))
                escape(byte)
                start = index + 1
            }
            buffer.writeBytes(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...]))
        }
        buffer.writeInteger(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22: buffer.writeStaticString("\\\"")
        case 0x5C: buffer.writeStaticString("\\\\")
        case 0x0A: buffer.writeStaticString("\\n")
        default:
            buffer.writeStaticString("\\u00")
            for digit in [byte >> 4, byte & 15] {
                buffer.writeInteger(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }

    private static func seconds(_ duration: Duration) -> Double {
        let parts = duration.components
        let milliseconds = Double(parts.seconds) * 1000 + (Double(parts.attoseconds) / 1e15).rounded()
        return milliseconds / 1000
    }
}
