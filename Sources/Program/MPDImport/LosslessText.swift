import MusicModel

/// Texts of MPD's files without losing a byte.
///
/// MPD passes names of files on as they are, also those that are no UTF-8. A byte that can't be read stands in a text
/// as a scalar of its own, from U+10FF80 to U+10FFFF, so that the file can still be opened, and be written down as it
/// was when no song is found for it.
enum LosslessText {
    private static let base: UInt32 = 0x10_FF00
    private static let places: ClosedRange<UInt32> = 0x10_FF80...0x10_FFFF

    /// Reads bytes as UTF-8.
    ///
    /// - Parameter charset: the charset of lines that are no UTF-8; nil keeps their bytes.
    static func text(_ bytes: some Collection<UInt8>, charset: String? = nil) -> String {
        if let text = plain(bytes) { return text }
        var lines: [String] = []
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if let text = plain(line) {
                lines.append(text)
            } else if let charset {
                lines.append(TextDecoding.text(Array(line), charset: charset))
            } else {
                lines.append(kept(line))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The bytes that a text was read from.
    static func bytes(_ text: some StringProtocol) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if places.contains(scalar.value) {
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return bytes
    }

    /// A path as the system takes it.
    static func cString(_ path: String) -> [CChar] { bytes(path).map { CChar(bitPattern: $0) } + [0] }

    /// A text for people and for files that must be UTF-8: bytes that can't be read become replacement characters.
    static func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { places.contains($0.value) }) else { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { places.contains($0.value) ? "\u{FFFD}" : $0 }))
    }

    /// Valid UTF-8 that has none of the scalars that stand for bytes.
    private static func plain(_ bytes: some Collection<UInt8>) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: { places.contains($0.value) })
        else { return nil }
        return text
    }

    private static func kept(_ bytes: some Collection<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let first = rest.first {
            let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            if let text = plain(rest.prefix(length)), text.unicodeScalars.count == 1 {
                scalars.append(contentsOf: text.unicodeScalars)
                rest = rest.dropFirst(length)
            } else {
                // Bytes below 0x80 are always valid, so this is one of the substitutes.
                if let scalar = Unicode.Scalar(base + UInt32(first)) { scalars.append(scalar) }
                rest = rest.dropFirst()
            }
        }
        return String(scalars)
    }
}
