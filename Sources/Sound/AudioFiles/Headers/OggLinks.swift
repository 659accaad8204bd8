package import Coordination
import Glibc
import MusicModel

/// A part of a chained file, which is a whole Ogg file of its own.
package struct OggLink: Hashable, Sendable {
    /// Where it lies in the file.
    package let bytes: Range<Int64>
    /// Where its sound begins in the file's.
    package let start: Nanoseconds
    /// How long it is.
    package let length: Nanoseconds
    /// True if nothing follows it.
    package let isLast: Bool
}

/// The parts of a chained Ogg file: files one behind another, and recordings of stations. GStreamer 1.22 finds every
/// position in them, but does not come to the next part after a seek; so each part is played as a file of its own.
/// - Source: RFC 3533; the headers of Vorbis I, Opus (RFC 7845), FLAC in Ogg and Speex.
enum OggLinks {
    struct Page {
        let serial: UInt64
        let number: UInt64
        /// The position of its last frame; nil where no packet ends on it.
        let granule: Int64?
        let isFirst: Bool
        let position: Int64
        let body: Int64
        /// The lengths of the body's segments: a packet ends with the first that is shorter than 255.
        let lengths: ArraySlice<UInt8>
        let end: Int64
    }

    /// A stream of sound; its first frames, which are skipped, are decoded and not heard.
    private typealias Sound = (serial: UInt64, rate: Int, skipped: Int64)

    private static let maxCount = 1000
    private static let headSize = 27
    private static let maxPageSize: Int64 = 65_307
    /// Borders within this many bytes are looked for page by page.
    private static let walked: Int64 = 2 << 20
    private static let usualPages: Int64 = 16_384
    /// Sound that begins later than that, in seconds, was cut out of something longer.
    private static let latestBeginning = 10

    /// Reads where the parts lie; none of a file that has only one, or something else than sound.
    static func read(_ source: HeaderBytes) -> [OggLink] {
        guard source.isComplete, let size = source.size, source.name(at: 0) == "OggS" else { return [] }
        var links: [OggLink] = []
        var (position, start) = (Int64(0), Nanoseconds.zero)
        while position < size, links.count < maxCount {
            guard let head = head(at: position, in: source), let sound = head.sound else { return [] }
            let border = border(of: head.serials, from: head.end, to: size, in: source)
            if border == nil, links.isEmpty { return [] }
            let end = border ?? size
            let length = length(of: sound, in: source, from: head.end, to: end)
            links.append(OggLink(bytes: position..<end, start: start, length: length, isLast: border == nil))
            if border == nil { return links }
            (position, start) = (end, start + length)
        }
        return []
    }

    /// How long all parts are, of a file whose last page counts far too few pages: GStreamer tells parts by serial
    /// numbers, which parts may share. nil of any other file.
    static func length(_ source: HeaderBytes) -> Nanoseconds? {
        guard source.isComplete, let size = source.size, source.name(at: 0) == "OggS",
            let last = lastPage(before: size, in: source, { _ in true })
        else { return nil }
        var (position, count) = (Int64(0), Int64(0))
        while position < maxPageSize, let page = page(at: position, in: source) {
            // Pictures make the first ones long.
            if page.granule ?? 0 != 0 || position == 0 { count += 1 }
            position = page.end
        }
        let (told, seen) = (Double(size) / Double(last.number + 1), Double(position) / Double(max(1, count)))
        guard count > 0, told > 1.5 * seen else { return nil }
        return read(source).last.map { $0.start + $0.length }
    }

    static func page(at position: Int64, in source: HeaderBytes) -> Page? {
        let head = source.bytes(at: position, count: headSize + 255)
        guard head.count >= headSize, head.starts(with: Array("OggS".utf8)), head[4] == 0,
            case let count = Int(head[26]), head.count >= headSize + count
        else { return nil }
        let (granule, lengths) = (Int64(lowestFirst: head[6..<14]), head[headSize..<(headSize + count)])
        let body = position + Int64(headSize + count)
        return Page(
            serial: UInt64(lowestFirst: head[14..<18]), number: UInt64(lowestFirst: head[18..<22]),
            granule: granule == -1 ? nil : granule, isFirst: head[5] & 2 != 0, position: position, body: body,
            lengths: lengths, end: body + lengths.reduce(0) { $0 + Int64($1) })
    }

    /// The first page at a position or behind it; one of which a mark within sound tells has no page behind it.
    private static func nextPage(from position: Int64, to limit: Int64, in source: HeaderBytes) -> Page? {
        for count in [usualPages, maxPageSize * 2] {
            let bytes = source.bytes(at: position, count: Int(min(count, max(0, limit - position))))
            let found = positions(in: bytes).lazy.compactMap { offset -> Page? in
                guard let page = page(at: position + Int64(offset), in: source) else { return nil }
                return page.end >= limit || source.name(at: page.end) == "OggS" ? page : nil
            }.first
            if let found { return found }
        }
        return nil
    }

    static func lastPage(before end: Int64, in source: HeaderBytes, _ isWanted: (Page) -> Bool) -> Page? {
        let start = max(0, end - 2 * maxPageSize)
        let bytes = source.bytes(at: start, count: Int(end - start))
        return positions(in: bytes).reversed().lazy.compactMap { page(at: start + Int64($0), in: source) }.first(
            where: isWanted)
    }

    private static func positions(in bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBytes { all in
            guard let start = all.baseAddress else { return [] }
            var found: [Int] = []
            var position = 0
            while all.count - position >= 4, let next = memchr(start + position, 0x4F, all.count - position - 3) {
                position = start.distance(to: next)
                if memcmp(next, "OggS", 4) == 0 { found.append(position) }
                position += 1
            }
            return found
        }
    }

    private static func head(
        at position: Int64, in source: HeaderBytes
    ) -> (serials: Set<UInt64>, sound: Sound?, end: Int64)? {
        var serials: Set<UInt64> = []
        var sound: Sound?
        var position = position
        while serials.count < 64, let page = page(at: position, in: source), page.isFirst {
            serials.insert(page.serial)
            sound = sound ?? self.sound(page.serial, source.bytes(at: page.body, count: 64))
            position = page.end
        }
        return serials.isEmpty ? nil : (serials, sound, position)
    }

    private static func sound(_ serial: UInt64, _ head: [UInt8]) -> Sound? {
        func begins(_ text: String) -> Bool { head.starts(with: Array(text.utf8)) }
        func rate(_ position: Int) -> Int {
            head.count >= position + 4 ? Int(lowestFirst: head[position..<position + 4]) : 0
        }
        var sound: Sound?
        if begins("\u{1}vorbis") { sound = (serial, rate(12), 0) }
        if begins("Speex   ") { sound = (serial, rate(36), 0) }
        if begins("OpusHead"), head.count >= 12 { sound = (serial, 48_000, Int64(lowestFirst: head[10..<12])) }
        if begins("\u{7F}FLAC"), head.count >= 30 {
            sound = (serial, Int(head[27]) << 12 | Int(head[28]) << 4 | Int(head[29]) >> 4, 0)
        }
        return sound.flatMap { SoundLimits.rates.contains($0.rate) ? $0 : nil }
    }

    /// Where the first page of another part lies; nil where all that follows is of one.
    private static func border(of serials: Set<UInt64>, from start: Int64, to end: Int64, in source: HeaderBytes)
        -> Int64?
    {
        if end - start <= walked { return firstForeign(serials, from: start, to: end, in: source) }
        guard var (known, other, number) = suspicion(serials, from: start, to: end, in: source) else { return nil }
        func isOfPart(_ page: Page) -> Bool {
            serials.contains(page.serial) && !page.isFirst && (serials.count > 1 || page.number > number)
        }
        while other - known > 2 * maxPageSize {
            let middle = known + (other - known) / 2
            if let page = nextPage(from: middle, to: end, in: source), page.position < other, isOfPart(page) {
                (known, number) = (page.end, page.number)
            } else {
                other = middle
            }
        }
        return firstForeign(serials, from: known, to: end, in: source, notBehind: other + 2 * maxPageSize) ?? end
    }

    private static func firstForeign(
        _ serials: Set<UInt64>, from start: Int64, to end: Int64, in source: HeaderBytes, notBehind last: Int64 = .max
    ) -> Int64? {
        var position = start
        while position < last,
            let page = page(at: position, in: source) ?? nextPage(from: position, to: end, in: source),
            page.end > position
        {
            if page.isFirst || !serials.contains(page.serial) { return page.position }
            position = page.end
        }
        return nil
    }

    /// A position in a part, one behind it, and the number of the page at the first; nil where all looks like one part.
    /// Parts may share a serial number; their pages are counted from zero in each. Of two positions that lie a little
    /// before and behind a border, the nearer one counts more pages, where pages are about of one size.
    private static func suspicion(_ serials: Set<UInt64>, from start: Int64, to end: Int64, in source: HeaderBytes)
        -> (known: Int64, other: Int64, number: UInt64)?
    {
        guard var later = lastPage(before: end, in: source, { _ in true }), later.position > start else { return nil }
        if !serials.contains(later.serial) { return (start, later.position, 0) }
        guard serials.count == 1 else { return nil }
        var distance = end - start
        while distance > 2 * usualPages {
            distance = distance / 10 * 7
            guard let page = nextPage(from: start + distance, to: end, in: source), page.position < later.position
            else { continue }
            if page.isFirst || !serials.contains(page.serial) { return (start, page.position, 0) }
            if page.number > later.number { return (page.end, later.position, page.number) }
            later = page
        }
        return nil
    }

    private static func length(of sound: Sound, in source: HeaderBytes, from start: Int64, to end: Int64) -> Nanoseconds
    {
        let last = lastPage(before: end, in: source) { $0.serial == sound.serial && $0.granule != nil }
        var position = start
        var first: Int64 = 0
        for _ in 0..<64 {
            guard position < end, let page = page(at: position, in: source) else { break }
            if page.serial == sound.serial, let granule = page.granule, granule > 0 {
                first = granule > Int64(sound.rate * latestBeginning) ? granule : 0
                break
            }
            position = page.end
        }
        let skipped = first == 0 ? sound.skipped : 0
        let frames = (last?.granule ?? 0).subtractingClamped(first).subtractingClamped(skipped)
        return SampleLayout(rate: sound.rate, channels: 1).length(
            frames: Int(frames.clamped(to: 0...SoundLimits.frames)))
    }
}
