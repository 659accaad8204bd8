import Coordination

/// Sound, pictures and packing, made without libraries.
enum FakeMedia {
    /// A WAV file of 16-bit stereo with a triangle tone whose pitch belongs to the song.
    static func wave(for id: String, milliseconds: Int) -> [UInt8] {
        let frames = 44100 * milliseconds / 1000
        var bytes: [UInt8] = []
        bytes.reserveCapacity(44 + frames * 4)
        bytes += Array("RIFF".utf8) + little(UInt32(36 + frames * 4)) + Array("WAVEfmt ".utf8) + little(UInt32(16))
        bytes += [1, 0, 2, 0] + little(UInt32(44100)) + little(UInt32(176_400)) + [4, 0, 16, 0]
        bytes += Array("data".utf8) + little(UInt32(frames * 4))
        let step = Int(200 + SplitMix64.hash(id) % 800) * 65536 / 44100
        var phase = 0
        for _ in 0..<frames {
            phase = (phase + step) & 0xFFFF
            let level = UInt16(bitPattern: Int16(abs(phase - 32768) / 4 - 4096))
            let (low, high) = (UInt8(level & 0xFF), UInt8(level >> 8))
            bytes.append(low)
            bytes.append(high)
            bytes.append(low)
            bytes.append(high)
        }
        return bytes
    }

    /// A PNG of one colour that belongs to the key, in a square.
    static func picture(for key: String, edge: Int) -> [UInt8] {
        let colour = SplitMix64.hash(key)
        let row = [UInt8(0)] + (0..<edge * 3).map { UInt8(truncatingIfNeeded: colour >> (8 * UInt64($0 % 3))) }
        let pixels = Array(repeatElement(row, count: edge).joined())
        var header = big(UInt32(edge)) + big(UInt32(edge))
        header += [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", [0x78, 0x01] + stored(pixels) + big(adler32(pixels))) + chunk("IEND", [])
    }

    /// A gzip file whose blocks are stored and not packed, which every reader takes.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + stored(bytes) + little(crc32(bytes))
            + little(UInt32(truncatingIfNeeded: bytes.count))
    }

    /// Deflate with stored blocks only.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 65535 * 5 + 5)
        var start = 0
        repeat {
            let end = min(start + 65535, bytes.count)
            let length = UInt16(end - start)
            result.append(end == bytes.count ? 1 : 0)
            result += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(~length & 0xFF), UInt8(~length >> 8)]
            result += bytes[start..<end]
            start = end
        } while start < bytes.count
        return result
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        return big(UInt32(data.count)) + content + big(crc32(content))
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        crcTable.withUnsafeBufferPointer { table in
            var crc = UInt32.max
            for byte in bytes { crc = table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ (crc >> 8) }
            return ~crc
        }
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return b << 16 | a
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    private static func big(_ value: UInt32) -> [UInt8] { little(value).reversed() }
}
