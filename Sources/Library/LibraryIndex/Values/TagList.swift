package import MusicModel

/// The tags of a song as `song.tags` keeps them: for each a byte of the kind and the number of the text, seven bits a
/// byte.
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
