/// Parameters as `application/x-www-form-urlencoded`, for a body or behind a question mark.
enum FormEncoding {
    /// Joins the parameters in their order.
    static func encode(_ parameters: [(name: String, value: String)]) -> String {
        var bytes: [UInt8] = []
        for (name, value) in parameters {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            append(name, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            append(value, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Lower-case hexadecimal digits, two for each byte.
    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digit(byte >> 4, letters: UInt8(ascii: "a")))
            text.append(digit(byte & 15, letters: UInt8(ascii: "a")))
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digit(byte >> 4, letters: UInt8(ascii: "A")))
                bytes.append(digit(byte & 15, letters: UInt8(ascii: "A")))
            }
        }
    }

    private static func digit(_ value: UInt8, letters: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : letters + value - 10
    }
}
