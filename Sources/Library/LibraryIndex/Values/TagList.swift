package import MusicModel

/// The tags of a song as `song.tags` keeps them: for each the kind in a byte and the text's number, seven bits a byte.
package enum TagList {
    /// One tag with the number of its text in `value`.
    package struct Item: Hashable {
        /// The kind of tag.
        package var tag: Tag
        /// The number of its text in `value`.
        package var value: Int64
    }

    static func encode(_ items: [Item]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(items.count * 4)
        for item in items {
            bytes.append(item.tag.rawValue)
            var rest = UInt64(item.value)
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        return bytes
    }

    /// Reads what `encode` wrote.
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> [Item] {
        var items: [Item] = []
        var index = 0
        while index < bytes.count {
            let kind = bytes[index]
            index += 1
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                value |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 || shift > 56 { break }
            }
            // A kind that this version doesn't know can only come from a damaged row; the other tags are still good.
            if let tag = Tag(rawValue: kind) { items.append(Item(tag: tag, value: Int64(value))) }
        }
        return items
    }
}

/// Tags with their texts in one blob: a byte of the kind, four of the length, the text.
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
