extension FixedWidthInteger {
    /// A number of as many bytes as it has at most, the highest first.
    init(highestFirst bytes: some Sequence<UInt8>) { self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) } }
    init(lowestFirst bytes: some Sequence<UInt8>) { self.init(highestFirst: bytes.reversed()) }
}

/// A number in a number of bytes, the lowest first.
func little(_ value: some BinaryInteger, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

func big(_ value: some BinaryInteger, _ count: Int) -> [UInt8] { little(value, count).reversed() }
