package import MusicModel

/// Tags with their texts in one blob, for what has no values in the index: a byte of the kind, four of the length, the
/// text.
package enum TagPairs {
    /// Writes tags.
    package static func encode(_ tags: [TagValue]) -> [UInt8] {
        var bytes: [UInt8] = []
        for tag in tags {
            bytes.append(tag.tag.rawValue)
            let count = UInt32(tag.value.utf8.count)
            for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
            bytes.append(contentsOf: tag.value.utf8)
        }
        return bytes
    }

    /// Reads tags; what is cut off or of an unknown kind is left out.
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> [TagValue] {
        var tags: [TagValue] = []
        var index = 0
        while index + 5 <= bytes.count {
            var count = 0
            for position in 0..<4 { count |= Int(bytes[index + 1 + position]) << (8 * position) }
            let start = index + 5
            guard count <= bytes.count - start else { break }
            if let tag = Tag(rawValue: bytes[index]) {
                tags.append(TagValue(tag, String(decoding: bytes[start..<(start + count)], as: UTF8.self)))
            }
            index = start + count
        }
        return tags
    }
}
