import Playback

/// Where a file of Vorbis in Ogg ends: at the position that its last page tells, within the last block that decoders
/// give. GStreamer's decoder cuts that block by times in nanoseconds, which leaves half of all files a frame too long,
/// and not at all where the bytes come in order.
enum OggVorbisHeader {
    struct Stream: Hashable, Sendable {
        var serial: UInt32
        var rate: Int
    }

    /// The last page of a file lies within its last bytes, unless a long tag follows it.
    static let maxEnd = 128 << 10

    private static let mark = Array("OggS".utf8)
    private static let headSize = 27

    /// Reads the first page; nil for what is no Vorbis in Ogg.
    /// - Source: RFC 3533, section 6; Vorbis I specification, section 4.2.2.
    static func read(_ source: HeaderBytes) -> Stream? {
        let page = source.bytes(at: 0, count: 44)
        guard page.count == 44, page.starts(with: mark), page[26] == 1, page[28] == 1,
            page[29..<35].elementsEqual("vorbis".utf8)
        else { return nil }
        return Stream(serial: UInt32(lowestFirst: page[14..<18]), rate: Int(lowestFirst: page[40..<44]))
    }

    /// How many frames a stream has by its last page; nil where another stream ends the file, or none does.
    static func trim(of stream: Stream, endingIn bytes: [UInt8]) -> TrackTrim? {
        var offset = bytes.count - headSize
        while offset >= 0 {
            defer { offset -= 1 }
            guard bytes[offset] == mark[0], bytes[offset..<offset + 5].elementsEqual(mark + [0]) else { continue }
            guard UInt32(lowestFirst: bytes[offset + 14..<offset + 18]) == stream.serial else { return nil }
            let frames = Int64(lowestFirst: bytes[offset + 6..<offset + 14])
            // No packet ends on such a page.
            if frames == -1 { continue }
            let trim = TrackTrim(skip: 0, frames: frames, rate: stream.rate)
            return frames > 0 && trim.isPlausible ? trim : nil
        }
        return nil
    }
}
