import AudioFiles
import CSound

/// GStreamer's audio converter for floats of one layout.
final class FrameConverter {
    private let converter: OpaquePointer
    private let channels: Int
    private let bytesPerFrame: Int
    /// How many frames of what comes out are still to be discarded.
    var skip = 0

    /// Converts to another sample format; nil if there is no converter.
    init?(_ layout: SampleLayout, to format: GstAudioFormat, bytes: Int) {
        guard
            let made = segue_converter_new(
                GST_AUDIO_FORMAT_F32LE, gint(layout.rate), gint(layout.channels), format, gint(layout.rate),
                gint(layout.channels))
        else { return nil }
        (converter, channels, bytesPerFrame) = (made, layout.channels, bytes * layout.channels)
    }

    /// Converts to another rate or channel count; nil if there is no converter.
    init?(_ layout: SampleLayout, to target: SampleLayout) {
        guard
            let made = segue_converter_new(
                GST_AUDIO_FORMAT_F32LE, gint(layout.rate), gint(layout.channels), GST_AUDIO_FORMAT_F32LE,
                gint(target.rate), gint(target.channels))
        else { return nil }
        (converter, channels, bytesPerFrame) = (made, layout.channels, 4 * target.channels)
    }

    deinit { gst_audio_converter_free(converter) }

    /// How many frames it has to hear beyond the one that comes out.
    var latency: Int { Int(gst_audio_converter_get_max_latency(converter)) }

    func convertToFloats(_ samples: inout [Float]) -> [Float] {
        let frames = samples.count / channels
        let count = outputFrames(frames)
        var floats = [Float](unsafeUninitializedCapacity: max(1, count * bytesPerFrame / 4)) { target, filled in
            filled = convert(&samples, frames, UnsafeMutableRawPointer(target.baseAddress), count) / 4
        }
        if skip > 0 {
            let discarded = min(skip, count)
            floats.removeFirst(discarded * bytesPerFrame / 4)
            skip -= discarded
        }
        return floats
    }

    func convert(_ samples: inout [Float]) -> [UInt8] {
        let frames = samples.count / channels
        let count = outputFrames(frames)
        return [UInt8](unsafeUninitializedCapacity: max(1, count * bytesPerFrame)) { target, filled in
            filled = convert(&samples, frames, UnsafeMutableRawPointer(target.baseAddress), count)
        }
    }

    private func outputFrames(_ frames: Int) -> Int {
        Int(gst_audio_converter_get_out_frames(converter, gsize(frames)))
    }

    /// Gives the number of bytes written.
    private func convert(
        _ samples: inout [Float], _ frames: Int, _ target: UnsafeMutableRawPointer?, _ count: Int
    ) -> Int {
        guard frames > 0 else { return 0 }
        let isDone = samples.withUnsafeMutableBytes { bytes in
            var inputs: gpointer? = bytes.baseAddress
            var outputs: gpointer? = target
            return gst_audio_converter_samples(
                converter, GST_AUDIO_CONVERTER_FLAG_NONE, &inputs, gsize(frames), &outputs, gsize(count)) != 0
        }
        return isDone ? count * bytesPerFrame : 0
    }
}
