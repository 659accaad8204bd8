import MusicModel

/// The APEv2 tag of a file, for what GStreamer 1.22 does not read of it: it knows twelve names, and no pictures.
/// - Source: APEv2 specification of Hydrogenaudio's wiki, "APE tags header", "APE tag item".
struct APETag {
    private static let magic = Array("APETAGEX".utf8)
    private static let headSize: Int64 = 32
    private static let maxTagSize: Int64 = 256 << 20
    private static let maxItems = 4096
    private static let maxNameLength = 255
    private static let maxValues = 256
    /// No text is longer, and all of them together are no longer than four such, in bytes.
    private static let maxTextSize = 1 << 20

    /// The texts, each with its key in upper case; zeros divide those of one key.
    private(set) var items: [(name: String, value: String)] = []
    /// Where the front cover lies in the file, or another picture where there is no front cover.
    private(set) var picture: Range<Int64>?
    private var room = 4 * APETag.maxTextSize

    /// Reads the tag at the file's end, before an ID3v1 tag, or at its beginning; nil without one.
    init?(_ source: HeaderBytes) {
        guard let range = Self.range(in: source) else { return nil }
        var offset = range.lowerBound
        for _ in 0..<Self.maxItems {
            guard let next = readItem(source, at: offset, end: range.upperBound) else { return }
            offset = next
        }
    }

    func text(_ name: String) -> String? { items.first { $0.name == name }?.value }

    private static func range(in source: HeaderBytes) -> Range<Int64>? {
        guard let size = source.size, size > headSize else { return nil }
        let isBeforeID3 = source.bytes(at: size - 128, count: 3) == Array("TAG".utf8)
        let end = isBeforeID3 ? size - 128 : size
        if let told = length(source.bytes(at: end - headSize, count: Int(headSize))), told <= end {
            return (end - told)..<(end - headSize)
        }
        guard let told = length(source.bytes(at: 0, count: Int(headSize))), told <= size - headSize else { return nil }
        return headSize..<told
    }

    /// The length that a header or footer says: that of the items and of the footer.
    private static func length(_ head: [UInt8]) -> Int64? {
        guard head.count == headSize, head.starts(with: magic), Int64(lowestFirst: head[8..<12]) == 2000
        else { return nil }
        let told = Int64(lowestFirst: head[12..<16])
        return told > headSize && told <= maxTagSize ? told : nil
    }

    private mutating func readItem(_ source: HeaderBytes, at offset: Int64, end: Int64) -> Int64? {
        guard offset < end else { return nil }
        let head = source.bytes(at: offset, count: Int(min(end - offset, Int64(8 + Self.maxNameLength + 1))))
        guard head.count > 9, let nameEnd = head[8...].firstIndex(of: 0) else { return nil }
        let start = offset + Int64(nameEnd) + 1
        let size = Int64(lowestFirst: head[..<4])
        guard size <= end - start else { return nil }
        let name = String(decoding: head[8..<nameEnd], as: UTF8.self).uppercased()
        // Bits 1 and 2 say whether it is text, bytes, or a reference to something outside.
        switch head[4] >> 1 & 3 {
        case 0: readText(name, source.bytes(at: start, count: Int(min(size, Int64(Self.maxTextSize) + 1))))
        case 1 where name.hasPrefix("COVER ART") && (picture == nil || name == "COVER ART (FRONT)"):
            picture = start..<(start + size)
        default: break
        }
        return start + size
    }

    private mutating func readText(_ name: String, _ bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= min(Self.maxTextSize, room) else { return }
        room -= bytes.count
        let values = bytes.split(separator: 0, maxSplits: Self.maxValues - 1)
        items += values.map { (name, String(decoding: $0, as: UTF8.self)) }
    }
}

extension APETag {
    /// The number before a total, without zeros in front; what begins with no digit stays as it is.
    static func number(_ text: String) -> String {
        let digits = text.prefix { ("0"..."9").contains($0) }
        return digits.isEmpty ? text : Int(digits).map { String($0) } ?? text
    }

    var replayGain: ReplayGain { ReplayGain { text($0) } }
    /// The words of the song, those with times first; nil without any.
    var lyrics: String? { text("SYNCEDLYRICS") ?? text("LYRICS") ?? text("UNSYNCEDLYRICS") ?? text("UNSYNCED LYRICS") }
    var cueSheet: CueSheet? { CueSheet(tag: text("CUESHEET")) }
}

extension ReplayGain {
    init(_ text: (String) -> String?) {
        func value(_ name: String) -> Double? {
            guard let number = text(name)?.split(separator: " ").first, let value = Double(number), value.isFinite
            else { return nil }
            return value
        }
        self.init(
            trackGain: value("REPLAYGAIN_TRACK_GAIN"), trackPeak: value("REPLAYGAIN_TRACK_PEAK"),
            albumGain: value("REPLAYGAIN_ALBUM_GAIN"), albumPeak: value("REPLAYGAIN_ALBUM_PEAK"))
    }

    func filled(_ other: ReplayGain?) -> ReplayGain {
        ReplayGain(
            trackGain: trackGain ?? other?.trackGain, trackPeak: trackPeak ?? other?.trackPeak,
            albumGain: albumGain ?? other?.albumGain, albumPeak: albumPeak ?? other?.albumPeak)
    }
}
