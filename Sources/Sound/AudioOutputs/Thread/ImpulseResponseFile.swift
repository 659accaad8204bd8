import AudioFiles
import CSound
import Coordination
import Glibc
import MusicModel
import Playback

/// Reads the impulse responses of room corrections: sound files of any kind, of one channel, two, or one for each of
/// the output's.
enum ImpulseResponseFile {
    /// Reads a file at an output's rate.
    ///
    /// - Throws: `OutputProblem` for a file that can't be read, has no sound, or lasts too long.
    static func read(_ path: String, rate: Int) throws(OutputProblem) -> ImpulseResponse {
        var status = stat()
        guard stat(path, &status) == 0 else { throw OutputProblem("\(path) can't be read: \(OutputProblem.system())") }
        let feed: TrackFeed
        do { feed = try TrackFeed(TrackFile(completePath: path, suffix: "", size: Int64(status.st_size))) } catch {
            throw OutputProblem("\(path) can't be read", cause: error)
        }
        let launch = """
            decodebin name=decode ! audioconvert name=convert dithering=none ! audioresample quality=10 ! \
            audio/x-raw,format=F32LE,layout=interleaved,rate=\(rate),channels=(int)[1,\(Speaker.maxChannels)] ! \
            appsink name=sink sync=false max-buffers=8 enable-last-sample=false
            """
        guard GStreamerLibrary.failure == nil, let pipeline = PipelineReference(launch: launch),
            let decode = pipeline.child("decode"), let convert = pipeline.child("convert"),
            let sink = pipeline.child("sink"), let source = TrackSource.make(feed)
        else { throw OutputProblem("GStreamer's base plug-ins are missing (gstreamer1.0-plugins-base)") }
        ElementPolicy.file.rule(decode.pointer)
        SoundLimits.set(on: convert)
        segue_bin_add(pipeline.element.pointer, source)
        gst_element_link(source, decode.pointer)
        pipeline.setState(GST_STATE_PLAYING)
        defer {
            feed.stop()
            pipeline.setState(GST_STATE_NULL)
        }
        return try collect(from: sink, of: pipeline, path, rate: rate)
    }

    private static func collect(
        from sink: ElementReference, of pipeline: PipelineReference, _ path: String, rate: Int
    ) throws(OutputProblem) -> ImpulseResponse {
        var channels: [[Float]] = []
        let end = Monotonic.now + .seconds(20)
        while segue_appsink_is_eos(sink.pointer) == 0 {
            if let message = pipeline.message(GST_MESSAGE_ERROR, milliseconds: 0) {
                throw OutputProblem("\(path): \(ErrorMessages.text(of: message))")
            }
            guard Monotonic.now < end else { throw OutputProblem("\(path): decoding took too long") }
            guard let sample = segue_appsink_try_pull(sink.pointer, Nanoseconds.milliseconds(100).clockTime) else {
                continue
            }
            defer { segue_sample_unref(sample) }
            guard let piece = DeckSamples(sample) else { continue }
            let count = piece.layout.channels
            if channels.isEmpty { channels = Array(repeating: [], count: count) }
            guard channels.count == count else { throw OutputProblem("\(path) changes the number of its channels") }
            for channel in 0..<count {
                channels[channel] += stride(from: channel, to: piece.samples.count, by: count).map { piece.samples[$0] }
            }
            guard channels[0].count <= ImpulseResponse.longest * rate else {
                throw OutputProblem("\(path) lasts longer than \(ImpulseResponse.longest) seconds")
            }
        }
        guard let response = ImpulseResponse(channels: channels) else { throw OutputProblem("\(path) has no sound") }
        guard response.channels.joined().allSatisfy(\.isFinite) else {
            throw OutputProblem("\(path) has samples that are no numbers")
        }
        return response
    }
}
