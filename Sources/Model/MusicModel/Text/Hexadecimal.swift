extension Sequence<UInt8> {
    /// Lower-case hexadecimal digits, two for each byte.
    package var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

extension BinaryInteger {
    /// The number with zeros in front, `width` digits long at least.
    package func padded(to width: Int, radix: Int = 10) -> String {
        let digits = String(self, radix: radix)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}
