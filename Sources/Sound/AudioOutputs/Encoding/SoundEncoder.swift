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
///
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

    /// Starts an encoder.
    ///
    /// - Parameters:
    ///   - launch: encoder and container in GStreamer's launch syntax.
    ///   - format: what `push` is given.
    ///   - tags: what the stream says of itself.
    init(_ launch: String, elements: [String], format: AudioFormat, tags: [TagValue]) throws(OutputProblem) {
        if let failure = GStreamerLibrary.failure { throw OutputProblem("GStreamer doesn't work: \(failure)") }
        for element in elements where !GStreamerLibrary.has(element) {
            throw OutputProblem("GStreamer's \(element) is missing: install \(EngineCheck.package(of: element))")
        }
        guard let sample = Self.name(format.sample) else {
            throw OutputProblem("the format \(format.wireText) is not supported")
        }
        let description = """
            appsrc name=source format=time block=false max-bytes=0 \
            caps=audio/x-raw,format=\(sample.name),layout=interleaved,rate=\(format.sampleRate),\
            channels=\(format.channels)\(Self.mask(format, elements)) ! audioconvert dithering=none ! \(launch) ! \
            appsink name=sink sync=false async=false enable-last-sample=false
            """
        guard let pipeline = PipelineReference(launch: description), let source = pipeline.child("source"),
            let sink = pipeline.child("sink")
        else { throw OutputProblem("GStreamer's base plug-ins are missing (gstreamer1.0-plugins-base)") }
        (self.pipeline, self.source, self.sink) = (pipeline, source, sink)
        layout = SampleLayout(rate: format.sampleRate, channels: format.channels)
        bytesPerFrame = sample.bytes * format.channels
        order = elements.contains("flacenc") ? SourceChannels.flacOrder(format.channels) : nil
        Self.set(tags, on: pipeline.element)
        guard pipeline.setState(GST_STATE_PLAYING) else { throw problem ?? OutputProblem("the encoder can't start") }
    }

    /// The speakers as caps have them. GStreamer's encoder of FLAC knows seven channels only as it took them to be.
    private static func mask(_ format: AudioFormat, _ elements: [String]) -> String {
        let isOld = format.channels == 7 && elements.contains("flacenc")
        return isOld ? ",channel-mask=(bitmask)0x13f" : CapsFormat.maskText(Speaker.layout(channels: format.channels))
    }

    private static func name(_ sample: AudioFormat.Sample) -> (name: String, bytes: Int)? {
        switch sample {
        case .integer(bits: 16): ("S16LE", 2)
        case .integer(bits: 24): ("S24LE", 3)
        case .float: ("F32LE", 4)
        default: nil
        }
    }

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

    /// Adds a date that begins with a year.
    private static func add(_ date: String, to list: UnsafeMutablePointer<GstTagList>) {
        let parts = date.split(separator: "-", maxSplits: 2).map { UInt16($0) ?? 0 }
        guard let year = parts.first, (1...9999).contains(year) else { return }
        let month = parts.count > 1 && (1...12).contains(parts[1]) ? parts[1] : 0
        let day = parts.count > 2 && month > 0 && (1...31).contains(parts[2]) ? parts[2] : 0
        segue_tags_add_moment(list, guint(year), guint(month), guint(day))
    }

    func push(_ samples: [UInt8]) throws(OutputProblem) {
        guard !samples.isEmpty else { return }
        guard let buffer = gst_buffer_new_allocate(nil, gsize(samples.count), nil) else {
            throw OutputProblem("out of memory")
        }
        let samples = ordered(samples)
        _ = samples.withUnsafeBytes { gst_buffer_fill(buffer, 0, $0.baseAddress, gsize($0.count)) }
        let count = samples.count / bytesPerFrame
        buffer.pointee.pts = layout.length(frames: frames).clockTime
        frames += count
        buffer.pointee.duration = layout.length(frames: frames).clockTime - buffer.pointee.pts
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

    /// How long an encoder may take for the last samples.
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
