import MusicModel

/// The tags of a WMA or ASF file, as they stand there, of which GStreamer 1.22 takes a part.
/// - Source: Microsoft, Advanced Systems Format Specification 1.20, sections 3.10, 3.11 and 4.7.
struct ASFTags {
    private(set) var items: [(name: String, value: String)] = []
    private(set) var pictures: [Range<Int64>] = []

    private static let head: [UInt8] = [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]
    private static let description: [UInt8] = [0x33, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]
    private static let more: [UInt8] = [0x40, 0xA4, 0xD0, 0xD2, 0x07, 0xE3, 0xD2, 0x11]
    private static let extensions: [UInt8] = [0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11]
    private static let library: [UInt8] = [0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49]
    private static let bytes: UInt64 = 1
    private static let maxObjects = 256
    private static let maxTags = 4096
    private static let maxTextSize = 1 << 16

    init?(_ source: HeaderBytes) {
        guard source.bytes(at: 0, count: 8) == Self.head, let size = source.little(at: 16, count: 8) else { return nil }
        read(source, 30..<max(30, min(source.size ?? 0, Int64(clamping: size))), depth: 0)
        guard !items.isEmpty || !pictures.isEmpty else { return nil }
    }

    private mutating func read(_ source: HeaderBytes, _ part: Range<Int64>, depth: Int) {
        var offset = part.lowerBound
        for _ in 0..<Self.maxObjects {
            guard offset + 24 <= part.upperBound, let told = source.little(at: offset + 16, count: 8), told >= 24,
                case let end = offset.addingClamped(Int64(clamping: told)), end <= part.upperBound
            else { return }
            let body = offset + 24
            switch source.bytes(at: offset, count: 8) {
            case Self.description: readDescription(source, body, end)
            case Self.more: readMore(source, body, end)
            case Self.library: readLibrary(source, body, end)
            case Self.extensions where depth == 0 && body + 22 <= end: read(source, body + 22..<end, depth: 1)
            default: break
            }
            offset = end
        }
    }

    private mutating func readDescription(_ source: HeaderBytes, _ body: Int64, _ end: Int64) {
        // The extended tags come after it, wherever they lie in the file.
        let others = items
        items = []
        defer { for (name, value) in others { add(name, value) } }
        var offset = body + 10
        for (index, name) in ["TITLE", "AUTHOR", "COPYRIGHT", "DESCRIPTION", "RATING"].enumerated() {
            guard let length = source.little(at: body + 2 * Int64(index), count: 2), offset + Int64(length) <= end
            else { return }
            add(name, text(source, offset, Int(length)))
            offset += Int64(length)
        }
    }

    private mutating func readMore(_ source: HeaderBytes, _ body: Int64, _ end: Int64) {
        guard let count = source.little(at: body, count: 2) else { return }
        var offset = body + 2
        for _ in 0..<min(Int(count), Self.maxTags) {
            guard let nameLength = source.little(at: offset, count: 2), case let value = offset + 2 + Int64(nameLength),
                let kind = source.little(at: value, count: 2), let length = source.little(at: value + 2, count: 2),
                value + 4 + Int64(length) <= end
            else { return }
            take(source, text(source, offset + 2, Int(nameLength)), kind, value + 4..<value + 4 + Int64(length))
            offset = value + 4 + Int64(length)
        }
    }

    private mutating func readLibrary(_ source: HeaderBytes, _ body: Int64, _ end: Int64) {
        guard let count = source.little(at: body, count: 2) else { return }
        var offset = body + 2
        for _ in 0..<min(Int(count), Self.maxTags) {
            guard let nameLength = source.little(at: offset + 4, count: 2),
                let kind = source.little(at: offset + 6, count: 2),
                let length = source.little(at: offset + 8, count: 4), case let name = offset + 12,
                case let value = name + Int64(nameLength), value + Int64(length) <= end
            else { return }
            take(source, text(source, name, Int(nameLength)), kind, value..<value + Int64(length))
            offset = value + Int64(length)
        }
    }

    private mutating func take(_ source: HeaderBytes, _ name: String?, _ kind: UInt64, _ value: Range<Int64>) {
        if kind == Self.bytes, name?.uppercased() == "WM/PICTURE", pictures.count < Self.maxTags {
            pictures.append(value)
        }
        add(name, self.value(source, kind, value.lowerBound, value.count))
    }

    private mutating func add(_ name: String?, _ value: String?) {
        guard let name, let value, !value.isEmpty, items.count < Self.maxTags else { return }
        let key = name.uppercased()
        // The library repeats what is said before.
        if !items.contains(where: { $0.name == key && $0.value == value }) { items.append((key, value)) }
    }

    private func value(_ source: HeaderBytes, _ kind: UInt64, _ offset: Int64, _ length: Int) -> String? {
        switch kind {
        case 0: text(source, offset, length)
        case 2, 3: source.little(at: offset, count: 4).map { String($0) }
        case 4: source.little(at: offset, count: 8).map { String($0) }
        case 5: source.little(at: offset, count: 2).map { String($0) }
        default: nil
        }
    }

    private func text(_ source: HeaderBytes, _ offset: Int64, _ length: Int) -> String? {
        guard length <= Self.maxTextSize else { return nil }
        let bytes = source.bytes(at: offset, count: length)
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }
}
