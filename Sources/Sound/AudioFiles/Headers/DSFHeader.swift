import MusicModel

/// The header of a DSF file, whose last block is filled up with silence that is not the song's.
enum DSFHeader {
    /// The samples of one bit of which decoders make a frame.
    private static let samplesPerFrame: Int64 = 8
    /// Samples a second that make sense, and lengths that are no accident.
    private static let rates: ClosedRange<Int64> = 1_000_000...Int64(SoundLimits.rates.upperBound) * samplesPerFrame
    private static let lengths: ClosedRange<Int64> = 8...SoundLimits.frames

    /// Reads the header; nil if it is damaged.
    ///
    /// - Source: Sony, DSF File Format Specification 1.01.
    static func read(_ source: HeaderBytes) -> TrackHeader? {
        guard source.name(at: 28) == "fmt ", let rate = little(source, at: 56, count: 4),
            let samples = little(source, at: 64, count: 8), rates.contains(rate), lengths.contains(samples)
        else { return nil }
        return TrackHeader(
            trim: TrackTrim(skip: 0, frames: samples / samplesPerFrame, rate: Int(rate / samplesPerFrame)))
    }

    private static func little(_ source: HeaderBytes, at offset: Int64, count: Int) -> Int64? {
        source.little(at: offset, count: count).map { Int64(truncatingIfNeeded: $0) }
    }
}
