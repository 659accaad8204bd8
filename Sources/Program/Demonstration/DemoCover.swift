import CZlib

/// Paints the demo albums' covers: hills under a sky at different times of the day, as PNGs of 16 colours.
enum DemoCover {
    private static let size = 320

    enum Light: Sendable { case dawn, noon, night }

    static func png(_ light: Light = .dawn) -> [UInt8] {
        let fourBitsFromPalette: [UInt8] = [4, 3, 0, 0, 0]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", big(size) + big(size) + fourBitsFromPalette)
        file += chunk("PLTE", palette(light))
        file += chunk("IDAT", deflated(pixels()))
        file += chunk("IEND", [])
        return file
    }

    /// Dusk to dawn in 10 steps, the sun, its glow, and four hills.
    private static func palette(_ light: Light) -> [UInt8] {
        let sky: [[UInt8]] = (0..<10).map { step in
            let (red, green, blue) = (30 + step * 22, 40 + step * 13, 110 + step * 3)
            return [UInt8(red), UInt8(green), UInt8(blue)]
        }
        let others: [[UInt8]] = [
            [255, 236, 170], [255, 208, 130], [70, 62, 98], [50, 48, 82], [34, 36, 66], [20, 24, 48],
        ]
        return (sky + others).flatMap { colour in
            switch light {
            case .dawn: colour
            // The same steps of brightness in other colours.
            case .noon: [colour[2] / 2, colour[0] / 2 + 90, colour[1] / 3 + 110]
            case .night: [colour[1] / 2, colour[2] / 3, colour[0] / 2 + 40]
            }
        }
    }

    private static func pixels() -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(size * (size / 2 + 1))
        for y in 0..<size {
            rows.append(0)
            for x in stride(from: 0, to: size, by: 2) { rows.append(colour(x, y) << 4 | colour(x + 1, y)) }
        }
        return rows
    }

    private static func colour(_ x: Int, _ y: Int) -> UInt8 {
        for (index, height) in [80, 60, 40, 22].enumerated().reversed() where y > size - hill(x, index, height) {
            return UInt8(12 + index)
        }
        let (dx, dy) = (x - 200, y - 215)
        let distance = dx * dx + dy * dy
        if distance < 48 * 48 { return 10 }
        if distance < 58 * 58 { return 11 }
        return UInt8(min(9, y * 10 / 260))
    }

    private static func hill(_ x: Int, _ index: Int, _ height: Int) -> Int {
        let period = 150 + index * 47
        let phase = (x + index * 61) % period
        let half = period / 2
        let rise = phase < half ? phase : period - phase
        return height + rise * (half * 2 - rise) * 46 / (half * half)
    }

    private static func big(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return big(data.count) + body + big(Int(crc32(0, body, uInt(body.count))))
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var count = compressBound(uLong(bytes.count))
        var deflated = [UInt8](repeating: 0, count: Int(count))
        compress(&deflated, &count, bytes, uLong(bytes.count))
        return Array(deflated.prefix(Int(count)))
    }
}
