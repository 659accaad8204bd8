import MusicModel

extension Configuration {
    /// The `[cache]` section: how much is kept on disk.
    package struct Cache: Hashable, Sendable {
        /// Bytes that cached songs may take on disk.
        package var size: Int64 = 2 << 30
        /// Songs after the current one that are fetched ahead.
        package var prefetch = 3
        /// The longer edge of the server's covers in pixels; nil keeps them as they are.
        package var coverSize: Int? = 600
        /// Bytes that covers may take on disk.
        package var coverSpace: Int64 = 256 << 20
        /// Bytes of the disk that stay free.
        package var keepFree: Int64 = 512_000_000

        init(reading section: inout SectionReader) {
            section.read("size", .byteSize(from: "64 MiB", to: "64 TiB"), into: &size, page: .afterRestart)
            section.read("prefetch", .integer(0...20, unit: "songs"), into: &prefetch, page: .afterRestart)
            let pixels = ValueKind<Int>.integer(0...4000, unit: "pixels")
            section.read("cover_size", pixels.map { $0 == 0 ? nil : $0 }, into: &coverSize)
            section.read("cover_space", .byteSize(from: "16 MiB", to: "64 TiB"), into: &coverSpace)
            section.read("keep_free", .byteSize(from: "16 MB", to: "64 TiB"), into: &keepFree)
        }
    }
}

extension ValueKind where Value == Int64 {
    static func byteSize(from least: String, to most: String) -> ValueKind {
        ValueKind(expected: "a size from \"\(least)\" to \"\(most)\" such as \"2 GiB\"") { node in
            guard let text = node.plainText, let size = ByteSize.parse(text), let low = ByteSize.parse(least),
                let high = ByteSize.parse(most), (low...high).contains(size)
            else { return nil }
            return size
        }.shown(as: .size(from: least, to: most)) { .text(ByteSize.text(of: $0)) }
    }
}

enum ByteSize {
    /// Largest first.
    private static let units: [(name: String, size: Int64)] = [
        ("TiB", 1 << 40), ("TB", 1_000_000_000_000), ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20),
        ("MB", 1_000_000), ("KiB", 1 << 10), ("kB", 1_000), ("B", 1),
    ]

    /// Reads a number, which may have a decimal part, and a unit; nil when it is none.
    static func parse(_ text: String) -> Int64? {
        let number = text.prefix { ("0"..."9").contains($0) || $0 == "." }
        let unit = text.dropFirst(number.count).drop { $0 == " " }
        guard let factor = units.first(where: { $0.name.lowercased() == unit.lowercased() })?.size,
            let value = Double(number), value.isFinite
        else { return nil }
        return Int64(exactly: (value * Double(factor)).rounded())
    }

    /// A size in the largest unit of which it is a whole number, such as `2 GiB`.
    static func text(of size: Int64) -> String {
        let fitting = units.first { size > 0 && size % $0.size == 0 } ?? ("B", 1)
        return "\(size / fitting.size) \(fitting.name)"
    }
}
