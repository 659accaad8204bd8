import NIOCore

/// Writes JSON into a buffer as it goes: rows are written from where they lie, without values in between.
struct JSONWriter {
    private(set) var buffer: ByteBuffer
    private var needsComma = false

    init(capacity: Int = 1024) { buffer = ByteBufferAllocator().buffer(capacity: capacity) }

    mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows { try enclosed("{", "}", body) }
    mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows { try enclosed("[", "]", body) }

    private mutating func enclosed(
        _ opening: StaticString, _ closing: StaticString, _ body: (inout JSONWriter) throws -> Void
    ) rethrows {
        comma()
        buffer.writeStaticString(opening)
        needsComma = false
        try body(&self)
        buffer.writeStaticString(closing)
        needsComma = true
    }

    mutating func object(_ key: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
        name(key)
        try object(body)
    }

    mutating func array(_ key: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
        name(key)
        try array(body)
    }

    mutating func array<Element>(
        _ key: StaticString, _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        try array(key) { for element in elements { try body(&$0, element) } }
    }

    mutating func objects<Element>(
        _ key: StaticString, _ elements: some Sequence<Element>, _ body: (inout JSONWriter, Element) throws -> Void
    ) rethrows {
        try array(key, elements) { json, element in try json.object { try body(&$0, element) } }
    }

    mutating func field(_ key: StaticString, _ value: String?) { field(key, value) { $0.value($1) } }
    mutating func field(_ key: StaticString, _ value: Int?) { field(key, value) { $0.value($1) } }
    mutating func field(_ key: StaticString, _ value: Double?) { field(key, value) { $0.value($1) } }
    mutating func field(_ key: StaticString, _ value: Bool) { field(key) { $0.value(value) } }
    mutating func field(_ key: StaticString, _ values: [String]) { array(key, values) { $0.value($1) } }

    /// Writes a field in seconds, with three decimals at most.
    mutating func field(_ key: StaticString, _ value: Duration?) {
        field(key, value.map { ($0 / .milliseconds(1)).rounded() / 1000 })
    }

    private mutating func field<Value>(
        _ key: StaticString, _ value: Value?, _ write: (inout JSONWriter, Value) -> Void
    ) {
        name(key)
        if let value { write(&self, value) } else { null() }
    }

    mutating func field(_ key: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
        name(key)
        try body(&self)
        needsComma = true
    }

    mutating func field(named key: String, _ value: String) {
        self.value(key)
        buffer.writeStaticString(":")
        needsComma = false
        self.value(value)
    }

    mutating func value(_ value: String) {
        comma()
        text(value)
        needsComma = true
    }

    mutating func value(_ value: Int) { literal(String(value)) }
    mutating func value(_ value: Bool) { literal(value ? "true" : "false") }
    mutating func null() { literal("null") }

    /// Writes a number; what is none becomes null.
    mutating func value(_ value: Double) {
        guard value.isFinite else { return null() }
        if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { self.value(whole) } else { literal("\(value)") }
    }

    mutating func raw(_ json: ByteBuffer) {
        comma()
        buffer.writeImmutableBuffer(json)
        needsComma = true
    }

    private mutating func literal(_ text: String) {
        comma()
        buffer.writeString(text)
        needsComma = true
    }

    private mutating func name(_ key: StaticString) {
        comma()
        buffer.writeStaticString("\"")
        buffer.writeStaticString(key)
        buffer.writeStaticString("\":")
        needsComma = false
    }

    private mutating func comma() { if needsComma { buffer.writeStaticString(",") } }

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
            let digits = String(byte, radix: 16)
            buffer.writeString((byte < 16 ? "\\u000" : "\\u00") + digits)
        }
    }
}
