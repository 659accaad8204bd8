import CGStreamer
import MusicModel

/// Turns float samples into bytes of another format, rate and channel count; what fits stays exact.
final class SampleConverter {
    private let converter: OpaquePointer
    private let bytesPerFrame: Int
    private let isDithered: Bool
    private var dither = Dither()
    /// What goes in.
    let layout: SampleLayout

    /// Makes a converter; nil if there is none for the format.
    init?(from layout: SampleLayout, to format: AudioFormat) {
        guard let target = Self.format(format.sample),
            let made = segue_converter_new(
                GST_AUDIO_FORMAT_F32LE, gint(layout.rate), gint(layout.channels), target.format,
                gint(format.sampleRate),
                gint(format.channels))
        else { return nil }
        converter = made
        bytesPerFrame = target.bytes * format.channels
        self.layout = layout
        isDithered = format.sample == .integer(bits: 16)
    }

    deinit { gst_audio_converter_free(converter) }

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

    /// Converts samples.
    func convert(_ samples: [Float]) -> [UInt8] {
        var samples = samples
        if isDithered { dither.apply(to: &samples) }
        return samples.withUnsafeMutableBytes { convert($0.baseAddress, frames: $0.count / (4 * layout.channels)) }
    }

    /// Gives what a change of rate still holds back.
    func finish() -> [UInt8] {
        let latency = Int(gst_audio_converter_get_max_latency(converter))
        return latency > 0 ? convert(nil, frames: latency) : []
    }

    private func convert(_ input: UnsafeMutableRawPointer?, frames: Int) -> [UInt8] {
        let produced = Int(gst_audio_converter_get_out_frames(converter, gsize(frames)))
        return [UInt8](unsafeUninitializedCapacity: max(1, produced * bytesPerFrame)) { target, filled in
            var inputs: gpointer? = input
            var outputs: gpointer? = UnsafeMutableRawPointer(target.baseAddress)
            let isDone = withUnsafeMutablePointer(to: &inputs) { from in
                gst_audio_converter_samples(
                    converter, GST_AUDIO_CONVERTER_FLAG_NONE, input == nil ? nil : from, gsize(frames), &outputs,
                    gsize(produced)) != 0
            }
            filled = isDone ? produced * bytesPerFrame : 0
        }
    }
}
