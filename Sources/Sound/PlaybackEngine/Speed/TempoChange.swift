import AudioFiles
import AudioOutputs
import CSound
import Coordination

/// SoundTouch behind GStreamer's element `pitch`: makes sound faster or slower without changing its pitch, in the
/// caller's thread.
final class TempoChange {
    static let element = "pitch"
    private let pipeline: PipelineReference
    private let stretcher: ElementReference
    private let sink: ElementReference
    private let pad: UnsafeMutablePointer<GstPad>
    private let layout: SampleLayout
    private var frames = 0
    static let isAvailable = GStreamerLibrary.has(element)

    /// Prepares for sound of a layout; nil where the element is missing or doesn't take it.
    init?(_ layout: SampleLayout) {
        guard layout.rate >= 8000, (1...2).contains(layout.channels),
            let pipeline = PipelineReference(
                launch: "\(Self.element) name=stretch "
                    + "! appsink name=sink sync=false async=false enable-last-sample=false"),
            let stretcher = pipeline.child("stretch"), let sink = pipeline.child("sink"),
            let pad = gst_element_get_static_pad(stretcher.pointer, "sink")
        else { return nil }
        (self.pipeline, self.stretcher, self.sink, self.pad, self.layout) = (pipeline, stretcher, sink, pad, layout)
        guard pipeline.setState(GST_STATE_PLAYING), begin() else { return nil }
    }

    deinit {
        pipeline.setState(GST_STATE_NULL)
        segue_unref(pad)
    }

    private func begin() -> Bool {
        let caps = gst_caps_from_string(
            "audio/x-raw,format=F32LE,layout=interleaved,rate=\(layout.rate),channels=\(layout.channels)")
        guard let caps else { return false }
        defer { segue_caps_unref(caps) }
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        return gst_pad_send_event(pad, gst_event_new_stream_start("song")) != 0
            && gst_pad_send_event(pad, gst_event_new_caps(caps)) != 0
            && gst_pad_send_event(pad, gst_event_new_segment(&segment)) != 0
    }

    func set(speed: Double) { segue_set_double(stretcher.pointer, "tempo", speed) }

    /// Pushes sound in and gives what comes out of it, which is behind; nil when the element fails.
    func push(_ samples: [Float]) -> [Float]? {
        let start = layout.length(frames: frames)
        frames += samples.count / layout.channels
        let duration = layout.length(frames: frames) - start
        let buffer = samples.withUnsafeBytes { SoundBuffer.make($0, stamp: start, duration: duration) }
        guard let buffer, gst_pad_chain(pad, buffer) == GST_FLOW_OK else { return nil }
        var output: [Float] = []
        while let sample = segue_appsink_try_pull(sink.pointer, 0) {
            defer { segue_sample_unref(sample) }
            if let piece = DeckSamples(sample) { output += piece.samples }
        }
        return output
    }
}
