import MusicModel

extension Configuration {
    /// The `[cache]` section.
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
    }
}

extension ConfigurationReader {
    /// Reads how much is kept on disk.
    func readCache(_ section: inout SectionReader) -> Configuration.Cache {
        var cache = Configuration.Cache()
        section.read("size", .byteSize(from: "64 MiB", to: "64 TiB"), into: &cache.size, page: .afterRestart)
        section.read("prefetch", .integer(0...20, unit: "songs"), into: &cache.prefetch, page: .afterRestart)
        section.read("cover_size", .coverSize, into: &cache.coverSize)
        section.read("cover_space", .byteSize(from: "16 MiB", to: "64 TiB"), into: &cache.coverSpace)
        section.read("keep_free", .byteSize(from: "16 MB", to: "64 TiB"), into: &cache.keepFree)
        return cache
    }
}

extension ValueKind where Value == Int? {
    /// The longer edge of a picture; 0 keeps it as it is.
    fileprivate static var coverSize: ValueKind {
        ValueKind<Int>.integer(0...4000, unit: "pixels").map { $0 == 0 ? nil : $0 }
    }
}

extension ValueKind where Value == Int64 {
    /// A size such as `2 GiB` between two others.
    static func byteSize(from least: String, to most: String) -> ValueKind {
        ValueKind(expected: "a size from \"\(least)\" to \"\(most)\" such as \"2 GiB\"") { node in
            guard let text = node.plainText, let size = ByteSize.parse(text), let low = ByteSize.parse(least),
                let high = ByteSize.parse(most), (low...high).contains(size)
            else { return nil }
            return size
        }.shown(as: .size(from: least, to: most)) { .text(ByteSize.text(of: $0)) }
    }
}

/// Sizes as people write them.
enum ByteSize {
    private static let units: [String: Int64] = [
        "b": 1, "kb": 1_000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
        "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]

    /// Reads a number, which may have a decimal part, and a unit; nil when it is none.
    static func parse(_ text: String) -> Int64? {
        let number = text.prefix { ("0"..."9").contains($0) || $0 == "." }
        let unit = text.dropFirst(number.count).drop { $0 == " " }
        guard let factor = units[unit.lowercased()], let value = Double(number), value.isFinite else { return nil }
        return Int64(exactly: (value * Double(factor)).rounded())
    }

    /// A size in the largest unit of which it is a whole number, such as `2 GiB`.
    static func text(of size: Int64) -> String {
        let names: [(String, Int64)] = [
            ("TiB", 1 << 40), ("TB", 1_000_000_000_000), ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20),
            ("MB", 1_000_000), ("KiB", 1 << 10), ("kB", 1_000),
        ]
        let fitting = names.first { size > 0 && size % $0.1 == 0 } ?? ("B", 1)
        return "\(size / fitting.1) \(fitting.0)"
    }
}
