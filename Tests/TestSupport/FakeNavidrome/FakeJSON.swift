/// A JSON value to be written.
package indirect enum FakeJSON: Sendable {
    case object([(name: String, value: FakeJSON)])
    case array([FakeJSON])
    case string(String)
    case int(Int64)
    case double(Double)
    case bool(Bool)
    /// Text that is written as it is.
    case raw(String)

    /// The bytes of the value.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// Appends the bytes of the value.
    func write(to bytes: inout [UInt8]) {
        switch self {
        case .object(let members): Self.write(members, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .string(let text): Self.write(text, to: &bytes)
        case .int(let number): bytes.append(contentsOf: String(number).utf8)
        case .double(let number): bytes.append(contentsOf: "\(number)".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .raw(let text): bytes.append(contentsOf: text.utf8)
        }
    }

    private static func write(_ members: [(name: String, value: FakeJSON)], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(member.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            // Go's encoder writes these as escapes, too.
            case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"):
                let digits = String(byte, radix: 16)
                bytes.append(contentsOf: ("\\u00" + (digits.count < 2 ? "0" : "") + digits).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
