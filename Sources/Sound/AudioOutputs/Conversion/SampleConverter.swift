import AudioFiles
import CSound
import MusicModel

/// Turns float samples, of one layout after another, into bytes of one format; what fits stays exact, and where the
/// rate changes, the sound stays continuous.
final class SampleConverter {
    private let rates: RateConverter
    private let output: FrameConverter
    private let isDithered: Bool
    /// True if the bytes are whole numbers of 32 bits.
    private let isOf32Bits: Bool
    private var dither = Dither()

    /// Makes a converter; nil if there is none for the format.
    init?(to format: AudioFormat) {
        let target = SampleLayout(rate: format.sampleRate, channels: format.channels)
        guard target.rate > 0, target.channels > 0, let sample = Self.format(format.sample),
            let output = FrameConverter(target, to: sample.format, bytes: sample.bytes)
        else { return nil }
        (rates, self.output) = (RateConverter(to: target), output)
        isDithered = format.sample == .integer(bits: 16)
        isOf32Bits = format.sample == .integer(bits: 32)
    }

    /// The layout of the samples that go in now.
    var layout: SampleLayout? { rates.layout }

    /// True if samples that went in are still to come out.
    var holdsBack: Bool { rates.holdsBack }

    private static func format(_ sample: AudioFormat.Sample) -> (format: GstAudioFormat, bytes: Int)? {
        switch sample {
        case .integer(bits: 16): (GST_AUDIO_FORMAT_S16LE, 2)
        case .integer(bits: 24): (GST_AUDIO_FORMAT_S24LE, 3)
        case .integer(bits: 32): (GST_AUDIO_FORMAT_S32LE, 4)
        case .integer(bits: 8): (GST_AUDIO_FORMAT_U8, 1)
        case .float: (GST_AUDIO_FORMAT_F32LE, 4)
        default: nil
        }
    }

    /// Converts samples; those of another layout than before join on.
    func convert(_ samples: [Float], _ layout: SampleLayout) -> [UInt8] { bytes(rates.convert(samples, layout)) }

    /// Converts a block; DoP as it is, apart from other sound.
    func convert(_ block: SampleBlock) -> [UInt8] {
        if block.isDoP {
            var samples = block.samples
            return finish() + output.convert(&samples)
        }
        let frames = rates.convert(block.samples, block.layout)
        guard let integers = block.integers, isOf32Bits, block.layout == rates.target else { return bytes(frames) }
        // Before them there may be what a change of rate held back of the song before.
        let early = bytes(Array(frames.dropLast(integers.count)))
        return integers.withUnsafeBytes { early + $0 }
    }

    /// Gives what a change of rate still holds back; afterwards anything may follow.
    func finish() -> [UInt8] { bytes(rates.finish()) }

    private func bytes(_ frames: [Float]) -> [UInt8] {
        var frames = frames
        if isDithered { dither.apply(to: &frames) }
        return output.convert(&frames)
    }
}
