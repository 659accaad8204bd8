import MusicModel

struct PNGChunks {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Size, palette, transparency, pixels, end: all that the picture itself is made of. libpng unfolds each packed
    /// text and profile to up to 8 MB, and keeps a thousand.
    private static let needed: Set<String> = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]
    private static let maxParts = 10_000

    let width: Int
    let height: Int
    let hasAlpha: Bool
    let isDeep: Bool
    let essential: [Range<Int>]

    init?(_ bytes: [UInt8]) {
        guard bytes.count > 33, Int(highestFirst: bytes[8..<12]) == 13, Self.name(bytes, at: 12) == "IHDR",
            [1, 2, 4, 8, 16].contains(bytes[24]), [0, 2, 3, 4, 6].contains(bytes[25])
        else { return nil }
        (width, height) = (Int(highestFirst: bytes[16..<20]), Int(highestFirst: bytes[20..<24]))
        (hasAlpha, isDeep) = (bytes[25] == 4 || bytes[25] == 6, bytes[24] == 16)
        guard let parts = Self.parts(bytes) else { return nil }
        essential = parts
    }

    private static func parts(_ bytes: [UInt8]) -> [Range<Int>]? {
        var parts = [0..<33]
        var offset = 33
        while offset + 8 <= bytes.count {
            // Four bytes of length, a name, the data, and a checksum; the last one may be cut.
            let length = Int(highestFirst: bytes[offset..<(offset + 4)])
            let end = min(bytes.count, offset.addingClamped(length).addingClamped(12))
            let name = Self.name(bytes, at: offset + 4)
            guard name != "IHDR" else { return nil }
            if needed.contains(name) {
                if let last = parts.last, last.upperBound == offset {
                    parts[parts.count - 1] = last.lowerBound..<end
                } else {
                    parts.append(offset..<end)
                }
            }
            guard parts.count <= maxParts else { return nil }
            if name == "IEND" { break }
            offset = end
        }
        return parts
    }

    private static func name(_ bytes: [UInt8], at offset: Int) -> String {
        String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
    }
}
