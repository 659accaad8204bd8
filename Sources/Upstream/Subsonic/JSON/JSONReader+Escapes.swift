/// Strings with escapes, which are few.
extension JSONReader {
    /// Replaces the escapes of a string.
    ///
    /// A lone surrogate becomes U+FFFD, as does what is not UTF-8: one odd title must not cost the whole page.
    func unescape(_ content: UnsafeRawBufferPointer) throws -> String {
        var result: [UInt8] = []
        result.reserveCapacity(content.count)
        var index = 0
        while index < content.count {
            let byte = content[index]
            index += 1
            if byte != UInt8(ascii: "\\") {
                result.append(byte)
            } else if index < content.count {
                try appendEscape(content, &index, to: &result)
            } else {
                throw problem("an escape is cut off")
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func appendEscape(
        _ content: UnsafeRawBufferPointer, _ index: inout Int, to result: inout [UInt8]
    ) throws {
        let letter = content[index]
        index += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(letter)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"):
            let scalar = try scalar(content, &index)
            result.append(contentsOf: Array(String(Character(scalar)).utf8))
        default: throw problem("an escape is unknown")
        }
    }

    /// Reads the four digits after `\u`, and the second half of a surrogate pair where there is one.
    private func scalar(_ content: UnsafeRawBufferPointer, _ index: inout Int) throws -> Unicode.Scalar {
        let first = try hexadecimal(content, index)
        index += 4
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, index + 6 <= content.count, content[index] == UInt8(ascii: "\\"),
            content[index + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        let second = try hexadecimal(content, index + 2)
        guard second >= 0xDC00, second <= 0xDFFF else { return "\u{FFFD}" }
        index += 6
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private func hexadecimal(_ content: UnsafeRawBufferPointer, _ index: Int) throws -> UInt32 {
        guard index + 4 <= content.count else { throw problem("an escape is cut off") }
        var value: UInt32 = 0
        for offset in 0..<4 {
            let digit = content[index + offset]
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(digit - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(digit - UInt8(ascii: "A") + 10)
            default: throw problem("an escape has a wrong digit")
            }
        }
        return value
    }
}
