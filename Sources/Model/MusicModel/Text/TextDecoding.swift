import Glibc

/// Texts of files that don't say in which charset they are.
package enum TextDecoding {
    /// The charset that texts are taken for that are not UTF-8: the one that most programs of Windows wrote.
    package static let usualCharset = "WINDOWS-1252"

    /// Reads a text as its byte order mark says, or as UTF-8, or else in `charset`; letters have 30 marks at most.
    package static func text(_ bytes: [UInt8], charset: String = usualCharset) -> String {
        decoded(bytes, charset).withoutExcessMarks
    }

    private static func decoded(_ bytes: [UInt8], _ charset: String) -> String {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return String(decoding: bytes.dropFirst(3), as: UTF8.self) }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let isBig = bytes[0] == 0xFE
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { (index: Int) -> UInt16 in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isBig ? first << 8 | second : second << 8 | first
            }
            return String(decoding: units, as: UTF16.self)
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return converted(bytes, from: charset) ?? converted(bytes, from: usualCharset)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// A text that was taken for Latin-1, as it is in `charset`; one that has other letters was read rightly and stays.
    package static func corrected(_ text: String, charset: String) -> String {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return text }
            bytes.append(byte)
        }
        guard bytes.contains(where: { $0 >= 0x80 }) else { return text }
        return converted(bytes, from: charset) ?? text
    }

    /// True if the system knows a charset by this name.
    package static func knows(charset: String) -> Bool {
        // Names come from outside, and the C library takes more than names.
        guard (1...40).contains(charset.utf8.count),
            charset.utf8.allSatisfy({ namesOfCharsets.contains($0) })
        else { return false }
        let converter = iconv_open("UTF-8", charset)
        guard Int(bitPattern: converter) != -1 else { return false }
        iconv_close(converter)
        return true
    }

    private static let namesOfCharsets = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:".utf8)

    /// Converts with the C library; bytes that mean nothing in the charset become replacement characters.
    private static func converted(_ bytes: [UInt8], from charset: String) -> String? {
        let converter = iconv_open("UTF-8", charset)
        guard Int(bitPattern: converter) != -1 else { return nil }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        var output: [UInt8] = []
        var piece = [CChar](repeating: 0, count: 4096)
        input.withUnsafeMutableBufferPointer { input in
            var next = input.baseAddress
            var left = input.count
            while left > 0 {
                var room = piece.count
                let count = piece.count
                piece.withUnsafeMutableBufferPointer { piece in
                    var end = piece.baseAddress
                    let result = iconv(converter, &next, &left, &end, &room)
                    if result == -1, errno != E2BIG, left > 0 {
                        next = next.map { $0 + 1 }
                        left -= 1
                    }
                }
                output += piece[..<(count - room)].map { UInt8(bitPattern: $0) }
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
