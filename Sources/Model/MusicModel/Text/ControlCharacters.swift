extension String {
    /// True if it has a character by which a text commands a terminal or breaks the protocol's lines: those of ASCII,
    /// the second set from U+0080 to U+009F, and the two that turn the direction of all that follows around.
    package var hasControls: Bool {
        var copy = self
        return copy.withUTF8 { bytes in
            bytes.indices.contains { Self.controlLength(in: bytes, at: $0) > 0 }
        }
    }

    /// The text with a space in place of each of them.
    package var withoutControls: String {
        guard hasControls else { return self }
        var copy = self
        let kept = copy.withUTF8 { bytes in
            var kept: [UInt8] = []
            kept.reserveCapacity(bytes.count)
            var index = 0
            while index < bytes.count {
                let length = Self.controlLength(in: bytes, at: index)
                kept.append(length > 0 ? 0x20 : bytes[index])
                index += max(1, length)
            }
            return kept
        }
        return String(decoding: kept, as: UTF8.self)
    }

    private static func controlLength(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        switch bytes[index] {
        case ..<0x20, 0x7F: 1
        case 0xC2 where index + 1 < bytes.count && bytes[index + 1] < 0xA0: 2
        case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80 && (0xAD...0xAE).contains(bytes[index + 2]):
            3
        default: 0
        }
    }
}
