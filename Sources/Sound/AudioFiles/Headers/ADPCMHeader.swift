package import Coordination
import MusicModel

/// The header of a WAV file with ADPCM, whose samples are told in blocks. GStreamer 1.22 takes a block of one channel
/// for half as long as it is, and others for a little shorter: its lengths and positions are all off by one factor.
/// - Source: Microsoft's Multimedia Data Standards Update (April 1994), DVI and Microsoft ADPCM.
enum ADPCMHeader {
    private static let (microsoft, dvi): (UInt64, UInt64) = (2, 0x11)

    static func read(_ source: HeaderBytes) -> TrackHeader? {
        guard source.name(at: 0) == "RIFF", let chunks = SoundChunks(source, upTo: "data"),
            let form = chunks.body("fmt "), let sound = chunks.body("data"),
            let kind = source.little(at: form.lowerBound, count: 2), kind == dvi || kind == microsoft,
            let channels = source.little(at: form.lowerBound + 2, count: 2),
            let rate = source.little(at: form.lowerBound + 4, count: 4),
            let size = source.little(at: form.lowerBound + 12, count: 2),
            SoundLimits.rates.contains(Int(rate)), SoundLimits.channels.contains(Int(channels))
        else { return nil }
        // A block begins with the state of each channel, which is one sample or two.
        let (head, first): (Int64, Int64) = kind == dvi ? (4, 1) : (7, 2)
        func frames(in bytes: Int64) -> Int64 {
            let each = bytes / Int64(channels) - head
            return each < 0 ? 0 : each * 2 + first
        }
        let perBlock = frames(in: Int64(size))
        guard perBlock > 0 else { return nil }
        let (blocks, rest) = Int64(sound.count).quotientAndRemainder(dividingBy: Int64(size))
        let whole = blocks.multipliedClamped(by: perBlock).addingClamped(frames(in: rest))
        // The last block is filled up.
        let told = chunks.body("fact").flatMap { source.little(at: $0.lowerBound, count: 4) }.map { Int64($0) }
        let count = told.flatMap { whole - perBlock < $0 && $0 < whole ? $0 : nil } ?? whole
        guard count > 0 else { return nil }
        let trim = TrackTrim(skip: 0, frames: count, rate: Int(rate))
        return TrackHeader(
            trim: trim, length: trim.duration,
            blocks: SoundBlocks(frames: perBlock, length: length(whole, rate), rate: Int(rate)))
    }

    private static func length(_ frames: Int64, _ rate: UInt64) -> Nanoseconds {
        SampleLayout(rate: Int(rate), channels: 1).length(frames: Int(clamping: frames))
    }
}

/// Sound in blocks, whose positions a pipeline tells otherwise than they are, all by one factor.
package struct SoundBlocks: Hashable, Sendable {
    let frames: Int64
    let length: Nanoseconds
    let rate: Int

    /// Where a pipeline, whose length is `told`, has the beginning of the block with a position.
    package func told(_ place: Nanoseconds, of told: Nanoseconds) -> Nanoseconds {
        let layout = SampleLayout(rate: rate, channels: 1)
        let block = layout.frames(in: max(.zero, place)) / Int(frames)
        return layout.length(frames: block.multipliedClamped(by: Int(frames))) * told.ratio(to: length)
    }

    /// The true position of what such a pipeline has at a position.
    package func place(_ place: Nanoseconds, of told: Nanoseconds) -> Nanoseconds { place * length.ratio(to: told) }
}
