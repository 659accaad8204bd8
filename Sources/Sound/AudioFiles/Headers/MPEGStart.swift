import Glibc
import MusicModel

/// Where the frames of an MPEG audio file begin: between its tag and them anything may stand, as long as it likes.
/// GStreamer looks for them in the first 64 KiB or so behind the tag, MPD's decoders in all of the file. What stands
/// before them is shown as part of the tag, which everything passes over.
/// - Source: ISO/IEC 11172-3, 2.4.1.3 (header), 13818-3; ID3 tag version 2.4.0, 3.1.
enum MPEGStart {
    private static let farthest: Int64 = 16 << 20
    /// A frame so near is found anyway.
    private static let near: Int64 = 2048
    /// This many frames of one kind in a row are no accident; at a file's end fewer.
    private static let enough = 4
    private static let maxFrameSize = 2881
    private static let pieceSize = 256 << 10

    /// The position of the first frame; nil where none is found, and where none is looked for: the file is called
    /// otherwise, begins as another kind does, or still arrives.
    static func find(in source: HeaderBytes) -> Int64? {
        guard source.mayBeMPEG, source.isComplete, let size = source.size else { return nil }
        let start = source.afterTags
        guard !isOther(source, at: start) else { return nil }
        let overlap = maxFrameSize * enough
        var position = start
        var count = overlap * 2
        while position < size, position - start < farthest {
            let bytes = source.bytes(at: position, count: count)
            let isEnd = position + Int64(bytes.count) >= size
            if let found = find(in: bytes, isEnd: isEnd) { return position + Int64(found) }
            guard !isEnd, bytes.count > overlap else { return nil }
            position += Int64(bytes.count - overlap)
            count = pieceSize
        }
        return nil
    }

    /// The patches that make one tag of all that stands before the first frame.
    static func patches(before frame: Int64, in source: HeaderBytes) -> [BytePatch] {
        let (tags, start) = source.tagsBefore
        guard frame - start > near else { return [] }
        guard let tag = tags.last
        else { return [BytePatch(offset: 0, bytes: Array("ID3".utf8) + [4, 0, 0] + sevenBits(frame - 10))] }
        // A footer would stand behind the tag, and no longer does.
        let hasFooter = source.number(at: tag + 5, count: 1).map { $0 & 0x10 != 0 } ?? true
        guard !hasFooter, frame - tag - 10 < 1 << 28 else { return [] }
        // The tag's next frame would stand there; one without a name ends the tag.
        return [
            BytePatch(offset: tag + 6, bytes: sevenBits(frame - tag - 10)),
            BytePatch(offset: start, bytes: [UInt8](repeating: 0, count: 10)),
        ]
    }

    /// The header of a file that is one frame and nothing else: GStreamer sees it thrice, as it takes less for noise.
    static func alone(at start: Int64, in source: HeaderBytes) -> TrackHeader? {
        guard start == 0, let size = source.size, size <= Int64(maxFrameSize),
            let first = source.number(at: 0, count: 4), case let head = UInt32(first), let length = length(of: head),
            Int64(length) == size
        else { return nil }
        let isShort = head >> 19 & 3 != 3 && head >> 17 & 3 == 1
        let frames: Int64 = head >> 17 & 3 == 3 ? 384 : isShort ? 576 : 1152
        let trim = TrackTrim(skip: 2 * frames, frames: frames, rate: rate(of: head))
        let bytes = source.bytes(at: 0, count: length)
        return TrackHeader(trim: trim, length: trim.duration, prefix: bytes + bytes)
    }

    private static func sevenBits(_ value: Int64) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(truncatingIfNeeded: value >> $0 & 0x7F) }
    }

    private static let others =
        [
            "fLaC", "OggS", "RIFF", "RF64", "FORM", "caff", "MAC ", "wvpk", "TTA1", "MPCK", "APET", "DSD ", "FRM8",
            ".snd",
        ].map { Array($0.utf8) } + [[0x30, 0x26, 0xB2, 0x75], [0x1A, 0x45, 0xDF, 0xA3], Array("MP+".utf8)]

    private static func isOther(_ source: HeaderBytes, at position: Int64) -> Bool {
        let head = source.bytes(at: position, count: 8)
        return others.contains { head.starts(with: $0) } || head.dropFirst(4).elementsEqual("ftyp".utf8)
    }

    private static func find(in bytes: [UInt8], isEnd: Bool) -> Int? {
        bytes.withUnsafeBytes { all in
            guard let start = all.baseAddress else { return nil }
            var position = 0
            while all.count - position >= 4, let next = memchr(start + position, 0xFF, all.count - position - 3) {
                position = start.distance(to: next)
                if isChain(all, at: position, isEnd: isEnd) { return position }
                position += 1
            }
            return nil
        }
    }

    private static func isChain(_ bytes: UnsafeRawBufferPointer, at start: Int, isEnd: Bool) -> Bool {
        var (position, kind) = (start, UInt32?.none)
        for count in 0..<enough {
            // The last frames of a file, at least two of them, or one that ends with the file.
            if position == bytes.count, isEnd, count > 0 { return true }
            guard bytes.count - position >= 4 else { return isEnd && count > 1 }
            let head = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
            guard let length = length(of: head), kind == nil || kind == head & sameInAll else {
                // A tag may follow them.
                return isEnd && count > 1
            }
            kind = head & sameInAll
            position += length
        }
        return true
    }

    /// The bits of a header that all frames of a file have in common: mark, version, layer and rate.
    private static let sameInAll: UInt32 = 0xFFFE_0C00

    /// The length in bytes of the frame with a header; nil for what is none, and for a rate of bits that none tells.
    private static func length(of head: UInt32) -> Int? {
        let (version, layer) = (Int(head >> 19 & 3), 4 - Int(head >> 17 & 3))
        let (bits, rate) = (Int(head >> 12 & 15), Int(head >> 10 & 3))
        guard head >> 21 == 0x7FF, version != 1, layer < 4, (1...14).contains(bits), rate < 3, head & 3 != 2
        else { return nil }
        let isFirst = version == 3
        let kilobits = (isFirst ? bitRates[layer - 1] : layer == 1 ? lowRates[0] : lowRates[1])[bits - 1]
        let samplesPerSecond = self.rate(of: head)
        let padding = Int(head >> 9 & 1)
        if layer == 1 { return (12 * kilobits * 1000 / samplesPerSecond + padding) * 4 }
        return (layer == 3 && !isFirst ? 72 : 144) * kilobits * 1000 / samplesPerSecond + padding
    }

    private static func rate(of head: UInt32) -> Int {
        let version = head >> 19 & 3
        return [44_100, 48_000, 32_000, 0][Int(head >> 10 & 3)] / (version == 3 ? 1 : version == 2 ? 2 : 4)
    }

    private static let bitRates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    ]
    private static let lowRates = [
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
}
