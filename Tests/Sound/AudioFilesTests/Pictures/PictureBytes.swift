@testable import AudioFiles

/// Pictures in a few bytes, as attackers make them.
enum PictureBytes {
    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    /// A chunk of a PNG; its checksum is wrong, which a reader of headers doesn't see.
    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        big(data.count, 4) + Array(name.utf8) + data + [0, 0, 0, 0]
    }

    static func pngHeader(_ width: Int, _ height: Int, depth: UInt8 = 8, colours: UInt8 = 2) -> [UInt8] {
        chunk("IHDR", big(width, 4) + big(height, 4) + [depth, colours, 0, 0, 0])
    }

    /// The beginning of a PNG that says it is so large.
    static func png(_ width: Int, _ height: Int, depth: UInt8 = 8, colours: UInt8 = 2) -> [UInt8] {
        PNGChunks.signature + pngHeader(width, height, depth: depth, colours: colours)
            + chunk("IDAT", [UInt8](repeating: 0, count: 40))
    }

    /// A segment of a JPEG.
    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] { [0xFF, marker] + big(body.count + 2, 2) + body }

    /// The segment with a JPEG's size; `sampling` is that of each component.
    static func frame(_ width: Int, _ height: Int, marker: UInt8 = 0xC0, sampling: [UInt8] = [0x11]) -> [UInt8] {
        var body: [UInt8] = [8] + big(height, 2) + big(width, 2) + [UInt8(sampling.count)]
        for (number, sampled) in sampling.enumerated() { body += [UInt8(number + 1), sampled, 0] }
        return segment(marker, body)
    }

    /// A whole JPEG in one colour, of which each block of a component takes two bits.
    static func jpeg(
        _ width: Int, _ height: Int, before: [UInt8] = [], marker: UInt8 = 0xC0, sampling: [UInt8] = [0x11],
        between: [UInt8] = [], behind: [UInt8] = []
    ) -> [UInt8] {
        let table: [UInt8] = [1] + [UInt8](repeating: 0, count: 16)
        let steps = [UInt8](repeating: 1, count: 64)
        let tables = segment(0xDB, [0] + steps) + segment(0xC4, [0] + table + [0x10] + table)
        let parts = marker == 0xC2 ? 1 : sampling.count
        let components = (0..<parts).flatMap { number -> [UInt8] in [UInt8(number + 1), 0] }
        let scan = segment(0xDA, [UInt8(parts)] + components + [0, marker == 0xC2 ? 0 : 63, 0])
        let blocks = ((width + 7) / 8) * ((height + 7) / 8) * sampling.count
        let data = [UInt8](repeating: 0, count: blocks / 4 + 1)
        return [0xFF, 0xD8] + before + tables + frame(width, height, marker: marker, sampling: sampling) + between
            + scan + data + behind + [0xFF, 0xD9]
    }

    /// A JPEG with a marker before its size that has no length; taken for one that has, it leads to 200 × 200.
    static func misleading(_ width: Int, _ height: Int, marker: UInt8) -> [UInt8] {
        let small = [UInt8](repeating: 0, count: 65501) + frame(200, 200).prefix(10)
        return jpeg(width, height, before: [0xFF, marker] + segment(0xE1, small))
    }

    /// A WebP of these chunks.
    static func webp(_ chunks: [(name: String, data: [UInt8])]) -> [UInt8] {
        var body: [UInt8] = []
        for (name, data) in chunks {
            body += Array(name.utf8) + little(data.count, 4) + data
            // Chunks begin at even places.
            if !data.count.isMultiple(of: 2) { body.append(0) }
        }
        return Array("RIFF".utf8) + little(body.count + 4, 4) + Array("WEBP".utf8) + body
    }

    /// What an extended WebP says of itself.
    static func canvas(_ width: Int, _ height: Int, flags: UInt8 = 0) -> (name: String, data: [UInt8]) {
        ("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    }

    /// A picture without loss, in one colour: five codes of one symbol each, so that no pixel takes a bit.
    static func lossless(_ width: Int, _ height: Int) -> (name: String, data: [UInt8]) {
        var (bits, used) = ((width - 1) | (height - 1) << 14, 35)
        for _ in 0..<5 { (bits, used) = (bits | 1 << used, used + 4) }
        return ("VP8L", [0x2F] + little(bits, 7) + [UInt8](repeating: 0, count: 8))
    }
}
