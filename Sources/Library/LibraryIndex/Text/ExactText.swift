/// A text that equals another only byte by byte, as for MPD and SQLite; `String` goes by characters.
package struct ExactText: Hashable, Comparable, Sendable {
    /// The text itself.
    package let text: String

    /// Wraps a text.
    package init(_ text: String) { self.text = text }

    /// True if both have the same bytes.
    package static func == (lhs: ExactText, rhs: ExactText) -> Bool { equal(lhs.text, rhs.text) }

    /// Orders by bytes.
    package static func < (lhs: ExactText, rhs: ExactText) -> Bool { compare(lhs.text, rhs.text) < 0 }

    /// Feeds the bytes.
    package func hash(into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// True if both texts have the same bytes.
    package static func equal(_ lhs: String, _ rhs: String) -> Bool {
        var lhs = lhs
        var rhs = rhs
        return lhs.withUTF8 { left in
            rhs.withUTF8 { right in left.count == right.count && left.elementsEqual(right) }
        }
    }

    /// Orders by bytes: negative when `lhs` comes first, 0 when they are the same.
    package static func compare(_ lhs: String, _ rhs: String) -> Int {
        var lhs = lhs
        var rhs = rhs
        return lhs.withUTF8 { left in rhs.withUTF8 { right in left.order(against: right) } }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Orders by bytes as `strcmp` does: negative when this one comes first.
    func order(against other: UnsafeBufferPointer<UInt8>) -> Int {
        let common = Swift.min(count, other.count)
        if common > 0, let left = baseAddress, let right = other.baseAddress {
            let difference = memoryOrder(left, right, common)
            if difference != 0 { return difference }
        }
        return count - other.count
    }
}
