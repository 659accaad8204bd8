import AudioFiles
import CSound
import Coordination
import MusicModel
import Outputs

/// A piece of an encoded stream.
package struct EncodedPiece: Sendable {
    /// The part of the stream.
    package var bytes: [UInt8]
    /// True if they belong to a header, without which the rest can't be decoded.
    package var isHeader = false
}

/// Turns samples of one format into an encoded stream.
/// - Isolation: one thread, which may wait.
protocol SoundEncoder: AnyObject {
    /// Encodes samples; what comes of them may come later.
    func push(_ samples: [UInt8]) throws(OutputProblem)
    /// The bytes encoded so far.
    func take() throws(OutputProblem) -> [EncodedPiece]
    /// Ends the stream and gives the rest of it; waits until the encoder is done.
    func finish() -> [EncodedPiece]
}

/// Samples as they are, behind the header of a WAV file without an end.
final class WaveEncoder: SoundEncoder {
    private var ready: [EncodedPiece]

    init(_ format: AudioFormat) {
        ready = [EncodedPiece(bytes: WAVHeader.bytes(format, size: UInt64(UInt32.max)), isHeader: true)]
    }

    func push(_ samples: [UInt8]) throws(OutputProblem) { ready.append(EncodedPiece(bytes: samples)) }

    func take() throws(OutputProblem) -> [EncodedPiece] {
        defer { ready = [] }
        return ready
    }

    func finish() -> [EncodedPiece] { (try? take()) ?? [] }
}

/// An encoder of GStreamer. Nothing is called back: samples are pushed into a pipeline and bytes pulled from it.
final class GStreamerEncoder: SoundEncoder {
    private let pipeline: PipelineReference
    private let source: ElementReference
    private let sink: ElementReference
    private let layout: SampleLayout
    private let bytesPerFrame: Int
    /// The order in which the encoder wants the channels; nil is theirs.
    private let order: [Int]?
    private var frames = 0

    init(_ launch: String, elements: [String], format: AudioFormat, tags: [TagValue]) throws(OutputProblem) {
        for element in elements { try EngineCheck.require(element) }
        let isOld = format.channels == 7 && elements.contains("flacenc")
        guard let caps = isOld ? format.capsText(Self.oldSeven) : format.capsText else {
            throw OutputProblem("the format \(format.wireText) is not supported")
        }
        let description = """
            appsrc name=source format=time block=false max-bytes=0 caps=\(caps) ! audioconvert dithering=none ! \
            \(launch) ! appsink name=sink sync=false async=false enable-last-sample=false
            """
        guard let pipeline = PipelineReference(launch: description), let source = pipeline.child("source"),
            let sink = pipeline.child("sink")
        else { throw OutputProblem("GStreamer's base plug-ins are missing (gstreamer1.0-plugins-base)") }
        (self.pipeline, self.source, self.sink) = (pipeline, source, sink)
        layout = SampleLayout(rate: format.sampleRate, channels: format.channels)
        bytesPerFrame = format.frameSize
        order = elements.contains("flacenc") ? SourceChannels.flacOrder(format.channels) : nil
        Self.set(tags, on: pipeline.element)
        guard pipeline.setState(GST_STATE_PLAYING) else { throw problem ?? OutputProblem("the encoder can't start") }
    }

    /// GStreamer's encoder of FLAC knows seven channels only as it took them to be.
    private static let oldSeven = Speaker.layout(channels: 6) + [.rearCenter]

    private static func set(_ tags: [TagValue], on element: ElementReference) {
        guard !tags.isEmpty, let list = gst_tag_list_new_empty() else { return }
        defer { segue_tags_unref(list) }
        let names: [Tag: String] = [
            .title: "title", .artist: "artist", .album: "album", .albumArtist: "album-artist", .genre: "genre",
            .composer: "composer",
        ]
        for tag in tags { if let name = names[tag.tag] { segue_tags_add_string(list, name, tag.value) } }
        for (tag, name) in [(Tag.track, "track-number"), (Tag.disc, "album-disc-number")] {
            let number = tags.first { $0.tag == tag }.flatMap { UInt16($0.value) }
            if let number, number > 0 { segue_tags_add_uint(list, name, guint(number)) }
        }
        if let date = tags.first(where: { $0.tag == .date })?.value { add(date, to: list) }
        segue_bin_set_tags(element.pointer, list)
    }

    private static func add(_ date: String, to list: UnsafeMutablePointer<GstTagList>) {
        let parts = date.split(separator: "-", maxSplits: 2).map { UInt16($0) ?? 0 }
        guard let year = parts.first, (1...9999).contains(year) else { return }
        let month = parts.count > 1 && (1...12).contains(parts[1]) ? parts[1] : 0
        let day = parts.count > 2 && month > 0 && (1...31).contains(parts[2]) ? parts[2] : 0
        segue_tags_add_moment(list, guint(year), guint(month), guint(day))
    }

    func push(_ samples: [UInt8]) throws(OutputProblem) {
        guard !samples.isEmpty else { return }
        let start = layout.length(frames: frames)
        frames += samples.count / bytesPerFrame
        let duration = layout.length(frames: frames) - start
        let buffer = ordered(samples).withUnsafeBytes { SoundBuffer.make($0, stamp: start, duration: duration) }
        guard let buffer else { throw OutputProblem("out of memory") }
        guard segue_appsrc_push(source.pointer, buffer) == GST_FLOW_OK else {
            throw problem ?? OutputProblem("the encoder takes no more sound")
        }
    }

    private func ordered(_ samples: [UInt8]) -> [UInt8] {
        guard let order else { return samples }
        let size = bytesPerFrame / order.count
        return stride(from: 0, to: samples.count - bytesPerFrame + 1, by: bytesPerFrame).flatMap { frame in
            order.flatMap { samples[frame + $0 * size..<frame + ($0 + 1) * size] }
        }
    }

    func take() throws(OutputProblem) -> [EncodedPiece] {
        var pieces: [EncodedPiece] = []
        while let piece = pull(waiting: .zero) { pieces.append(piece) }
        if let problem { throw problem }
        return pieces
    }

    func finish() -> [EncodedPiece] {
        _ = segue_appsrc_end(source.pointer)
        var pieces: [EncodedPiece] = []
        let deadline = Monotonic.now + Self.patience
        while segue_appsink_is_eos(sink.pointer) == 0, Monotonic.now < deadline, problem == nil {
            if let piece = pull(waiting: .milliseconds(20)) { pieces.append(piece) }
        }
        return pieces
    }

    private static let patience: Nanoseconds = .seconds(5)

    private func pull(waiting longest: Nanoseconds) -> EncodedPiece? {
        guard let sample = segue_appsink_try_pull(sink.pointer, longest.clockTime) else { return nil }
        defer { segue_sample_unref(sample) }
        guard let buffer = gst_sample_get_buffer(sample) else { return nil }
        let size = Int(gst_buffer_get_size(buffer))
        let bytes = [UInt8](unsafeUninitializedCapacity: max(1, size)) { target, filled in
            filled = Int(gst_buffer_extract(buffer, 0, target.baseAddress, gsize(size)))
        }
        return EncodedPiece(bytes: bytes, isHeader: segue_buffer_is_header(buffer) != 0)
    }

    private var problem: OutputProblem? {
        pipeline.message(GST_MESSAGE_ERROR, milliseconds: 0).map { OutputProblem(ErrorMessages.text(of: $0)) }
    }
}
