import MusicModel

/// The comments of a FLAC or Ogg file, as they stand there.
/// - Source: Vorbis I specification, section 5; RFC 9639, section 8.6; RFC 7845, section 5.2; RFC 3533.
struct VorbisComments {
    private(set) var items: [(name: String, value: String)] = []

    private static let maxCount = 4096
    private static let maxNameLength = 255
    private static let maxTextSize = 1 << 20
    private static let maxPages = 20_000

    init?(_ source: HeaderBytes) {
        let start = source.afterTags
        switch source.name(at: start) {
        case "fLaC":
            guard let block = source.flacBlock(4, from: start) else { return nil }
            read(source, block)
        case "OggS":
            guard let packet = Self.secondPacket(of: source, from: start) else { return nil }
            let head = packet.bytes(at: 0, count: 8)
            let skipped =
                head.starts(with: Array("OpusTags".utf8))
                ? 8
                : head.dropFirst().starts(with: Array("vorbis".utf8))
                    ? 7
                    : head.first.map { $0 & 0x7F } == 4
                        && packet.number(at: 1, count: 3) == packet.size.map { UInt64($0 - 4) } ? 4 : 0
            read(packet, Int64(skipped)..<(packet.size ?? 0))
        default: return nil
        }
        guard !items.isEmpty else { return nil }
    }

    private mutating func read(_ source: HeaderBytes, _ part: Range<Int64>) {
        guard let vendor = source.little(at: part.lowerBound, count: 4) else { return }
        var place = part.lowerBound.addingClamped(4 + Int64(vendor))
        guard let count = source.little(at: place, count: 4) else { return }
        place += 4
        var room = 4 * Self.maxTextSize
        for _ in 0..<min(Int(count), Self.maxCount) {
            guard let told = source.little(at: place, count: 4), case let length = Int(told),
                place + 4 + Int64(length) <= part.upperBound
            else { return }
            defer { place += 4 + Int64(length) }
            let head = source.bytes(at: place + 4, count: min(length, Self.maxNameLength + 1))
            guard let end = head.firstIndex(of: 0x3D), length <= min(Self.maxTextSize, room) else { continue }
            room -= length
            let value = source.bytes(at: place + 4, count: length).dropFirst(end + 1)
            items.append(
                (String(decoding: head[..<end], as: UTF8.self).uppercased(), String(decoding: value, as: UTF8.self)))
        }
    }

    /// The second packet of the first stream, which may lie on many pages, as bytes of its own.
    private static func secondPacket(of source: HeaderBytes, from start: Int64) -> HeaderBytes? {
        guard let serial = OggLinks.page(at: start, in: source)?.serial else { return nil }
        var parts: [(start: Int64, file: Int64, length: Int)] = []
        var (place, size, packet) = (start, Int64(0), 0)
        pages: for _ in 0..<maxPages {
            guard let page = OggLinks.page(at: place, in: source) else { break }
            place = page.end
            guard page.serial == serial else { continue }
            var body = page.body
            for length in page.lengths {
                if packet == 1, length > 0 {
                    if let last = parts.indices.last, parts[last].file + Int64(parts[last].length) == body {
                        parts[last].length += Int(length)
                    } else {
                        parts.append((size, body, Int(length)))
                    }
                    size += Int64(length)
                }
                body += Int64(length)
                if length < 255 { packet += 1 }
                if packet > 1 { break pages }
            }
        }
        guard size > 0 else { return nil }
        return HeaderBytes(size: size) { [parts, size] offset, count in
            let end = min(size, offset.addingClamped(Int64(count)))
            guard offset < end else { return [] }
            // The first part that ends behind the position.
            var (low, high) = (0, parts.count - 1)
            while low < high {
                let middle = (low + high) / 2
                if parts[middle].start + Int64(parts[middle].length) <= offset {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            var bytes: [UInt8] = []
            for part in parts[low...] where part.start < end {
                let skipped = max(0, offset - part.start)
                bytes += source.bytes(
                    at: part.file + skipped, count: Int(min(Int64(part.length), end - part.start) - skipped))
            }
            return bytes
        }
    }
}

extension HeaderBytes {
    private static let maxBlocks = 256

    func flacBlock(_ kind: UInt64, from start: Int64) -> Range<Int64>? {
        var place = start + 4
        for _ in 0..<Self.maxBlocks {
            guard let head = number(at: place, count: 1), let size = number(at: place + 1, count: 3) else { return nil }
            if head & 0x7F == kind { return place + 4..<place + 4 + Int64(size) }
            guard head & 0x80 == 0 else { return nil }
            place += 4 + Int64(size)
        }
        return nil
    }
}
