import Glibc
package import MusicModel

/// Leaves lines of tags out of a stored block, for clients that chose their tags with `tagtypes`.
package struct BlockFilter {
    /// The names of the tags to leave out, by their lengths.
    private let excluded: [[[UInt8]]]

    /// Keeps the lines of these tags, and all that are no tags.
    package init(keeping mask: TagMask) {
        var excluded = [[[UInt8]]](repeating: [], count: 32)
        for tag in Tag.allCases where !mask.contains(tag) {
            let name = tag.wireName.withUTF8Buffer { Array($0) }
            excluded[name.count].append(name)
        }
        self.excluded = excluded
    }

    /// Appends the lines that stay.
    package func append(_ block: UnsafeRawBufferPointer, to buffer: inout [UInt8]) {
        var start = 0
        var kept = 0
        while start < block.count {
            let end = (block.index(of: 0x0A, from: start) ?? block.count - 1) + 1
            if isExcluded(UnsafeRawBufferPointer(rebasing: block[start..<end])) {
                buffer.append(contentsOf: block[kept..<start])
                kept = end
            }
            start = end
        }
        buffer.append(contentsOf: block[kept..<block.count])
    }

    private func isExcluded(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let colon = line.index(of: 0x3A, from: 0), colon < excluded.count else { return false }
        for name in excluded[colon] where line.starts(with: name) { return true }
        return false
    }
}

extension UnsafeRawBufferPointer {
    /// The place of the first byte with this value at or after `start`.
    fileprivate func index(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress else { return nil }
        return memchr(base + start, Int32(byte), count - start).map { UnsafeRawPointer($0) - base }
    }
}
