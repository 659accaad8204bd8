import AudioFiles
import CSound
import MusicModel

/// Turns float samples into bytes of one format: what fits stays exact, and a change of rate is no break.
final class SampleConverter {
    private let rates: RateConverter
    private let output: FrameConverter
    private let isDithered: Bool
    private let isOf32Bits: Bool
    private var dither = Dither()

    /// - Throws: `OutputProblem` where nothing converts to the format.
    init(to format: AudioFormat) throws(OutputProblem) {
        let target = SampleLayout(rate: format.sampleRate, channels: format.channels)
        guard target.rate > 0, target.channels > 0, let sample = Self.format(format.sample),
            let output = FrameConverter(target, to: sample, frameSize: format.frameSize)
        else { throw OutputProblem("the format \(format.wireText) is not supported") }
        (rates, self.output) = (RateConverter(to: target), output)
        isDithered = format.sample == .integer(bits: 16)
        isOf32Bits = format.sample == .integer(bits: 32)
    }

    var layout: SampleLayout? { rates.layout }
    var holdsBack: Bool { rates.holdsBack }

    private static func format(_ sample: AudioFormat.Sample) -> GstAudioFormat? {
        switch sample {
        case .integer(bits: 16): GST_AUDIO_FORMAT_S16LE
        case .integer(bits: 24): GST_AUDIO_FORMAT_S24LE
        case .integer(bits: 32): GST_AUDIO_FORMAT_S32LE
        case .integer(bits: 8): GST_AUDIO_FORMAT_U8
        case .float: GST_AUDIO_FORMAT_F32LE
        default: nil
        }
    }

    func convert(_ samples: [Float], _ layout: SampleLayout) -> [UInt8] { bytes(rates.convert(samples, layout)) }

    /// Converts a block; DoP as it is, apart from other sound.
    func convert(_ block: SampleBlock) -> [UInt8] {
        if block.isDoP { return finish() + output.convert(block.samples) }
        let frames = rates.convert(block.samples, block.layout)
        guard let integers = block.integers, isOf32Bits, block.layout == rates.target else { return bytes(frames) }
        // Before them there may be what a change of rate held back of the song before.
        let early = bytes(Array(frames.dropLast(integers.count)))
        return integers.withUnsafeBytes { early + $0 }
    }

    func finish() -> [UInt8] { bytes(rates.finish()) }

    private func bytes(_ frames: [Float]) -> [UInt8] {
        var frames = frames
        if isDithered { dither.apply(to: &frames) }
        return output.convert(frames)
    }
}

/// Dither for 16 bits: noise of two least bits that turns the error of rounding into an even hiss.
struct Dither {
    private var state: UInt32 = 0x9E37_79B9

    /// Adds the noise, unless the samples are 16 bits already, as those of a CD at full volume: they stay exact.
    mutating func apply(to samples: inout [Float]) {
        guard !Self.fits(samples) else { return }
        samples.withUnsafeMutableBufferPointer { buffer in
            for index in buffer.indices {
                let noise = next() + next()
                buffer[index] += noise * (0.5 / 32768)
            }
        }
    }

    static func fits(_ samples: [Float]) -> Bool {
        samples.withUnsafeBufferPointer { buffer in
            for sample in buffer {
                let scaled = sample * 32768
                if scaled != scaled.rounded(.toNearestOrEven) { return false }
            }
            return true
        }
    }

    private mutating func next() -> Float {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return Float(Int32(bitPattern: state)) * (1 / 2_147_483_648)
    }
}
