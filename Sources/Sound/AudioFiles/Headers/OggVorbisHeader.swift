/// Where a file of Vorbis in Ogg ends: at the position that its last page tells, within the last block that decoders
/// give. GStreamer's decoder cuts that block by times in nanoseconds, which leaves half of all files a frame too long,
/// and not at all where the bytes come in order.
enum OggVorbisHeader {
    struct Stream: Hashable, Sendable {
        var serial: UInt64
        var rate: Int
    }

    /// Reads the first page; nil for what is no Vorbis in Ogg.
    /// - Source: RFC 3533, section 6; Vorbis I specification, section 4.2.2.
    static func read(_ source: HeaderBytes) -> Stream? {
        guard let page = OggLinks.page(at: 0, in: source), page.lengths.count == 1,
            case let head = source.bytes(at: page.body, count: 16), head.count == 16,
            head.starts(with: Array("\u{1}vorbis".utf8))
        else { return nil }
        return Stream(serial: page.serial, rate: Int(lowestFirst: head[12..<16]))
    }

    /// How many frames a stream has by its last page; nil where another stream ends the file, or none does.
    static func trim(of stream: Stream, in source: HeaderBytes) -> TrackTrim? {
        // On a page without a position no packet ends.
        let last = OggLinks.lastPage(before: source.size ?? 0, in: source) {
            $0.serial != stream.serial || $0.granule != nil
        }
        guard let last, last.serial == stream.serial, let frames = last.granule else { return nil }
        let trim = TrackTrim(skip: 0, frames: frames, rate: stream.rate)
        return frames > 0 && trim.isPlausible ? trim : nil
    }
}
