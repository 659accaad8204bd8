import MusicModel

/// The segments of a JPEG up to its end, read as libjpeg reads them. Whatever libjpeg or GStreamer would stumble over,
/// or take for the beginning of another picture, makes it nil.
struct JPEGSegments {
    struct Frame {
        let width: Int
        let height: Int
        let sampling: [(across: Int, down: Int)]
        let isProgressive: Bool
    }

    /// A progressive JPEG of a camera has ten scans. Each takes a look at the whole picture, and thirteen bytes.
    private static let maxScans = 64

    private(set) var frame: Frame?
    private(set) var end: Int
    private let bytes: [UInt8]
    private var scans = 0
    /// True if the decoder has to keep the whole picture until the last scan.
    private var isInSeveralScans = false
    /// True if its colours are certain not to be red, green and blue.
    private var isJFIF = false

    init?(_ bytes: [UInt8]) {
        (self.bytes, end) = (bytes, bytes.count)
        var offset = 2
        while let marker = Self.marker(in: bytes, from: &offset) {
            if marker == 0xD9 {
                end = offset
                break
            }
            // Another beginning may be that of another picture.
            guard marker != 0xD8 else { return nil }
            guard let body = Self.body(in: bytes, at: offset) else {
                // A file that was cut in the middle of its last scan may still be shown.
                guard scans > 0 else { return nil }
                break
            }
            offset = body.upperBound
            guard take(marker, body) else { return nil }
        }
        guard scans > 0 else { return nil }
    }

    /// The next marker that has a segment or ends the picture; `offset` is moved behind it. Nil at the end. Bytes that
    /// are no marker are passed over, as are the markers that stand alone.
    private static func marker(in bytes: [UInt8], from offset: inout Int) -> UInt8? {
        bytes.withUnsafeBufferPointer { bytes in
            while offset + 1 < bytes.count {
                guard bytes[offset] == 0xFF else {
                    offset += 1
                    continue
                }
                switch bytes[offset + 1] {
                case 0xFF: offset += 1
                case 0, 0x01, 0xD0...0xD7: offset += 2
                case let marker:
                    offset += 2
                    return marker
                }
            }
            return nil
        }
    }

    private static func body(in bytes: [UInt8], at offset: Int) -> Range<Int>? {
        guard offset + 2 <= bytes.count else { return nil }
        let length = Int(highestFirst: bytes[offset..<(offset + 2)])
        let end = offset.addingClamped(length)
        return length >= 2 && end <= bytes.count ? (offset + 2)..<end : nil
    }

    private mutating func take(_ marker: UInt8, _ body: Range<Int>) -> Bool {
        switch marker {
        // Huffman codes with all coefficients in order or in several scans, and arithmetic codes.
        case 0xC0, 0xC1, 0xC2, 0xC9, 0xCA:
            guard frame == nil, scans == 0 else { return false }
            frame = Self.frame(bytes[body], isProgressive: marker == 0xC2 || marker == 0xCA)
            return frame != nil
        case 0xDA:
            guard let frame, let first = bytes[body].first, scans < Self.maxScans else { return false }
            scans += 1
            isInSeveralScans = isInSeveralScans || frame.isProgressive || Int(first) < frame.sampling.count
            return true
        case 0xE0:
            isJFIF = isJFIF || (body.count >= 14 && bytes[body].starts(with: Array("JFIF\0".utf8)))
            return true
        // Tables, the number of lines, the interval between restarts, and what applications add.
        case 0xC4, 0xCC, 0xDB, 0xDC, 0xDD, 0xE1...0xEF, 0xFE: return true
        // Other kinds of frames, and what is reserved: libjpeg decodes none of these.
        default: return false
        }
    }

    private static func frame(_ body: ArraySlice<UInt8>, isProgressive: Bool) -> Frame? {
        let fields = Array(body)
        guard fields.count >= 6, fields[0] == 8, fields[5] == 1 || fields[5] == 3,
            fields.count == 6 + 3 * Int(fields[5])
        else { return nil }
        let sampling = stride(from: 7, to: fields.count, by: 3).map {
            (across: Int(fields[$0] >> 4), down: Int(fields[$0] & 15))
        }
        guard sampling.allSatisfy({ (1...4).contains($0.across) && (1...4).contains($0.down) }) else { return nil }
        return Frame(
            width: Int(highestFirst: fields[3..<5]), height: Int(highestFirst: fields[1..<3]), sampling: sampling,
            isProgressive: isProgressive)
    }

    /// The memory for decoding: the samples that come out, and two bytes for each of them while there are more scans.
    func cost(of frame: Frame) -> PictureCost {
        let across = frame.sampling.map(\.across).max() ?? 1
        let down = frame.sampling.map(\.down).max() ?? 1
        let samples = frame.sampling.reduce(0) { sum, component in
            sum.addingClamped(
                PictureCost.plane(
                    frame.width.multipliedClamped(by: component.across) / across,
                    frame.height.multipliedClamped(by: component.down) / down, depth: 1))
        }
        let pixels = PictureCost.plane(frame.width, frame.height, depth: 1)
        // Full colours may be red, green and blue, which come out in four bytes; all others in one and a half.
        let mayBeRGB = across == 1 && down == 1 && !isJFIF
        let colours = mayBeRGB ? pixels.multipliedClamped(by: 4) : pixels.addingClamped(pixels / 2)
        return PictureCost(
            frame: frame.sampling.count == 1 ? pixels : colours,
            work: isInSeveralScans ? samples.multipliedClamped(by: 2) : 0)
    }
}
