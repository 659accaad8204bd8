import MusicModel

/// The Xing or Info header of an MP3 file with the encoder's delay and padding that LAME and FFmpeg write into it.
enum MP3Header {
    /// The delay that every decoder adds to the encoder's: 528 frames of its filter and one more.
    private static let decoderDelay: Int64 = 529

    /// A frame, and where a Xing header starts within it.
    private typealias Frame = (rate: Int, samples: Int64, xing: Int)

    /// Reads the header; nil if there is none that says where the song starts and ends.
    /// - Parameter start: where the first frame is, or something before it.
    static func read(_ source: HeaderBytes, at start: Int64) -> TrackHeader? {
        let bytes = source.bytes(at: start, count: 4096)
        guard bytes.count > 200 else { return nil }
        for offset in 0..<(bytes.count - 200) {
            guard let frame = frame(bytes, at: offset) else { continue }
            let xing = offset + frame.xing
            let name = bytes[xing..<(xing + 4)]
            guard name.elementsEqual("Xing".utf8) || name.elementsEqual("Info".utf8) else { continue }
            return header(Array(bytes[xing...]), frame, at: start.addingClamped(Int64(xing)), of: source)
        }
        return nil
    }

    private static func frame(_ bytes: [UInt8], at offset: Int) -> Frame? {
        guard bytes[offset] == 0xFF, bytes[offset + 1] & 0xE6 == 0xE2 else { return nil }
        let version = Int(bytes[offset + 1] >> 3 & 3)
        let rate = Int(bytes[offset + 2] >> 2 & 3)
        guard version != 1, rate != 3, bytes[offset + 2] >> 4 != 15 else { return nil }
        let isMono = bytes[offset + 3] >> 6 == 3
        let rates = [44100, 48000, 32000]
        if version == 3 { return (rates[rate], 1152, 4 + (isMono ? 17 : 32)) }
        return (rates[rate] / (version == 2 ? 2 : 4), 576, 4 + (isMono ? 9 : 17))
    }

    private static func header(_ xing: [UInt8], _ frame: Frame, at offset: Int64, of source: HeaderBytes)
        -> TrackHeader?
    {
        guard xing.count >= 8 else { return nil }
        let flags = xing[7]
        var position = 8
        func field(_ flag: UInt8, _ size: Int) -> Int64? {
            guard flags & flag != 0 else { return nil }
            defer { position += size }
            guard size == 4, xing.count >= position + 4 else { return nil }
            return Int64(highestFirst: xing[position..<(position + 4)])
        }
        let count = field(1, 4)
        let size = field(2, 4)
        _ = field(4, 100)
        _ = field(8, 4)
        // The encoder's name (9 bytes), 12 bytes about how it worked, and two numbers of 12 bits.
        guard xing.count >= position + 24, xing[position..<(position + 4)].allSatisfy({ (0x20..<0x7F).contains($0) })
        else { return nil }
        let padding = Int64(highestFirst: xing[(position + 21)..<(position + 24)])
        let (before, after) = (padding >> 12, padding & 0xFFF)
        guard padding != 0, padding != 0xFFFFFF else { return nil }
        var trim = TrackTrim(skip: before + decoderDelay, frames: nil, rate: frame.rate)
        if let count, count > 0, isWhole(size, from: offset, of: source) {
            let frames = count * frame.samples - before - after
            guard frames > 0 else { return nil }
            trim.frames = frames
        }
        return TrackHeader(
            trim: trim,
            patches: [
                BytePatch(offset: offset + Int64(position), bytes: [UInt8](repeating: 0, count: 9)),
                BytePatch(offset: offset + Int64(position) + 21, bytes: [0, 0, 0]),
            ])
    }

    /// True if the header speaks of the whole file: files joined by hand continue after what their first header counts.
    private static func isWhole(_ counted: Int64?, from offset: Int64, of source: HeaderBytes) -> Bool {
        guard let counted, counted > 0, let size = source.size else { return true }
        return size.subtractingClamped(offset) < counted.addingClamped(max(counted / 20, 200_000))
    }
}
