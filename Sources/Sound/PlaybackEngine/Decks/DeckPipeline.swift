import AudioFiles
import AudioOutputs
import CSound
import Coordination
import MusicModel

/// The elements that turn one track's bytes into samples of its own rate and channels: floats of 32 bits, or whole
/// numbers where it has 32 bits of these.
/// - Isolation: any thread, as far as GStreamer's own functions go; it keeps no state but the elements.
package final class DeckPipeline: Sendable {
    let pipeline: PipelineReference
    private let convert: ElementReference
    let queue: ElementReference
    let sink: ElementReference
    private let feed: TrackFeed?
    private let channels: SourceChannels

    private static func tail(_ queueBytes: Int) -> String {
        """
        audioconvert name=convert dithering=none ! audioresample \
        ! capsfilter name=form \
        caps="audio/x-raw,format=F32LE,layout=interleaved,channels=(int)[1,\(Speaker.maxChannels)]" \
        ! queue name=queue max-size-buffers=0 max-size-bytes=\(queueBytes) \
        ! appsink name=sink sync=false enable-last-sample=false max-buffers=4
        """
    }

    /// Where the sound has no times the queue can't tell how long it lasts; a second of the fastest fits in.
    private static let maxQueue = 33_554_432

    /// How many bytes of sound a queue may hold: of decks only the bounds depend on memory, music continues.
    static func bytes(_ most: Int, _ memoryBudget: MemoryBudget) -> Int {
        memoryBudget.share(oneIn: 16, atMost: memoryBudget.isTight ? most / 4 : most)
    }

    /// Builds a deck for bytes on disk, whose header was read.
    convenience init?(
        feed: TrackFeed, maxChannels: Int = Speaker.maxChannels, _ memoryBudget: MemoryBudget = .unlimited
    ) {
        // `decodebin` sometimes links this decoder only after it has begun, and it then stops without a word.
        let isMusepack = feed.isMusepack && GStreamerLibrary.has("musepackdec")
        let decoder =
            isMusepack
            ? "musepackdec"
            : feed.carried == nil ? "decodebin expose-all-streams=false caps=audio/x-raw" : "identity"
        self.init(
            launch: "\(decoder) name=decode", feed: feed,
            tail: Self.tail(Self.bytes(Self.maxQueue, memoryBudget)),
            // Mixed, carried bits would be noise.
            maxChannels: feed.carried == nil ? maxChannels : Speaker.maxChannels)
        guard let source = TrackSource.make(feed), let decode = pipeline.child("decode") else { return nil }
        segue_bin_add(pipeline.element.pointer, source)
        gst_element_link(source, decode.pointer)
        if isMusepack || feed.carried != nil {
            gst_element_link(decode.pointer, convert.pointer)
        } else {
            ElementPolicy.file.rule(decode.pointer)
        }
    }

    /// Builds a deck of an element `decode` and a tail of elements `convert`, `queue` and `sink`.
    init?(launch head: String, feed: TrackFeed?, tail: String, maxChannels: Int = 2) {
        guard
            let pipeline = PipelineReference(launch: head + " " + tail),
            let decode = pipeline.child("decode"), let convert = pipeline.child("convert"),
            let queue = pipeline.child("queue"), let sink = pipeline.child("sink")
        else { return nil }
        (self.pipeline, self.convert, self.queue, self.sink, self.feed) = (pipeline, convert, queue, sink, feed)
        channels = SourceChannels(limit: maxChannels)
        segue_set_int64(queue.pointer, "max-size-time", Nanoseconds.seconds(1).signedClockTime)
        Self.linkPads(of: decode, to: convert)
        segue_watch_caps(convert.pointer)
        SoundLimits.set(on: convert)
    }

    /// Links what the decoder exposes; a chained stream exposes a new pad for each of its parts.
    private static func linkPads(of decode: ElementReference, to convert: ElementReference) {
        decode.connect("pad-added") { argument in
            guard let sink = gst_element_get_static_pad(convert.pointer, "sink") else { return }
            if let before = gst_pad_get_peer(sink) {
                gst_pad_unlink(before, sink)
                segue_unref(before)
            }
            gst_pad_link(argument.assumingMemoryBound(to: GstPad.self), sink)
            segue_unref(sink)
        }
    }

    var feedFailure: String? { feed?.failure }
    func setState(_ state: GstState) -> Bool { pipeline.setState(state) }
    var hasReachedState: Bool { pipeline.element.hasReachedState }
    /// True if all its threads have come to rest, so that nothing more will come of it.
    var isAtRest: Bool { !hasMore && segue_pipeline_is_idle(pipeline.element.pointer) != 0 }
    /// The part of a chained file that it plays; nil of any other.
    var link: OggLink? { feed?.link }
    private var hasMore: Bool { link?.isLast == false }

    /// Why a file ends without a word from its demuxer.
    static let breakage = "the file is damaged or breaks off"

    /// Takes the pipeline down; calls off reads first, so that nothing has to wait for the network.
    func tearDown() {
        feed?.stop()
        pipeline.setState(GST_STATE_NULL)
    }

    func message(milliseconds: Int) -> BusMessage? {
        pipeline.message(
            .any(
                GST_MESSAGE_ERROR, GST_MESSAGE_ASYNC_DONE, GST_MESSAGE_TAG, GST_MESSAGE_APPLICATION, GST_MESSAGE_EOS,
                GST_MESSAGE_ELEMENT),
            milliseconds: milliseconds)
    }

    func nudge() { pipeline.nudge() }
    /// How long the track is, where its header tells what no demuxer knows.
    var toldLength: Nanoseconds? { feed?.length }
    var trim: TrackTrim? { link == nil ? feed?.trim(in: pipeline) : nil }

    /// How much before the position a decoder starts, as the first frames after a seek lack those they build on.
    private var preroll: Nanoseconds { .milliseconds(has("opusdec") ? 500 : 100) }

    func seek(to place: Nanoseconds) -> Bool {
        let place = place - (link?.start ?? .zero)
        var start = feed == nil ? place : max(.zero, place + (trim?.skipped ?? .zero) - preroll)
        // The first piece alone has a position that can be told from what the pipeline says.
        if let blocks = feed?.blocks, let duration { start = blocks.told(place, of: duration) }
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
        return gst_element_seek(
            sink.pointer, 1, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, start.signedClockTime,
            GST_SEEK_TYPE_NONE, -1) != 0
    }

    var duration: Nanoseconds? {
        var value: gint64 = -1
        guard gst_element_query_duration(sink.pointer, GST_FORMAT_TIME, &value) != 0, value > 0 else { return nil }
        let length = Nanoseconds(count: Int64(value))
        return SoundLimits.isPlausible(length) ? length : nil
    }

    var isSeekable: Bool {
        guard let query = gst_query_new_seeking(GST_FORMAT_TIME) else { return false }
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(query).assumingMemoryBound(to: GstMiniObject.self)) }
        guard gst_element_query(sink.pointer, query) != 0 else { return false }
        var isSeekable: gboolean = 0
        gst_query_parse_seeking(query, nil, &isSeekable, nil, nil)
        return isSeekable != 0
    }

    /// True if one of the elements is part of it.
    func has(_ elements: String...) -> Bool {
        elements.contains { segue_bin_has(pipeline.element.pointer, $0) != 0 }
    }

    /// The format that the decoder gives, before the deck makes floats of it.
    var sourceFormat: AudioFormat? { Self.read(convert) { sourceFormat($0) } }

    /// Reads the caps of what an element gets.
    private static func read<Result>(
        _ element: ElementReference, _ body: (UnsafeMutablePointer<GstCaps>) -> Result?
    ) -> Result? {
        guard let pad = gst_element_get_static_pad(element.pointer, "sink") else { return nil }
        defer { segue_unref(pad) }
        guard let caps = gst_pad_get_current_caps(pad) else { return nil }
        defer { segue_caps_unref(caps) }
        return body(caps)
    }

    /// The format that begins with a message; nil where the message is about something else.
    func sourceFormat(beginningWith message: BusMessage) -> AudioFormat? {
        segue_message_caps(message.pointer).flatMap(sourceFormat)
    }

    var isDoP: Bool { feed?.carried != nil }
    var fitsDoP: Bool { feed?.fitsDoP ?? false }

    private func sourceFormat(_ caps: UnsafeMutablePointer<GstCaps>) -> AudioFormat? {
        if let carried = feed?.carried { return carried }
        var format = CapsFormat.read(caps)
        // These formats have no sample size of their own; clients know the one that MPD gives.
        if has("mpg123audiodec", "avdec_mp3", "musepackdec") { format?.sample = .integer(bits: 24) }
        // These make one sample of eight bits of DSD.
        if has("avdec_dsd_lsbf_planar", "avdec_dsd_msbf_planar", "avdec_dsd_lsbf", "avdec_dsd_msbf") {
            format?.sample = .dsd
        }
        return format
    }

    var queued: Nanoseconds {
        let time = Nanoseconds(segue_get_uint64(queue.pointer, "current-level-time")) ?? .zero
        // Behind the first part of a chained stream the time stands still.
        return time > .zero ? time : queuedSamples
    }

    /// The same as counted by samples, whatever times the stream gives them.
    var queuedSamples: Nanoseconds {
        let bytes = Int(segue_get_uint(queue.pointer, "current-level-bytes"))
        guard bytes > 0, let layout = Self.read(sink, CapsFormat.layout) else { return .zero }
        return layout.length(frames: bytes / (4 * layout.channels))
    }

    /// True if all of the track that can be had is decoded.
    var isDecoded: Bool { !hasMore && segue_has_end(queue.pointer) != 0 }

    /// True if more is decoded now: neither is that all, nor is the queue full.
    var isDecoding: Bool {
        func isFull(_ level: String, _ most: String, _ read: (String) -> UInt64) -> Bool {
            read(most) > 0 && read(level) >= read(most)
        }
        // Behind all of a part of a chained file the next one is opened.
        guard segue_has_end(queue.pointer) == 0 else { return hasMore && isDrained }
        return !isFull("current-level-time", "max-size-time") { UInt64(segue_get_uint64(queue.pointer, $0)) }
            && !isFull("current-level-bytes", "max-size-bytes") { UInt64(segue_get_uint(queue.pointer, $0)) }
    }

    func pull() -> DeckSamples? { pull(within: .zero) }
    var isEnded: Bool { !hasMore && isDrained }
    var isDrained: Bool { segue_appsink_is_eos(sink.pointer) != 0 }
    /// True if sound is decoded that is on its way to where it can be pulled.
    var isHandingOver: Bool { segue_get_uint(queue.pointer, "current-level-buffers") > 0 && !isEnded }

    /// Takes the next piece of sound, if one is there or comes within `patience` by the system's clock.
    func pull(within patience: Nanoseconds) -> DeckSamples? {
        guard let sample = segue_appsink_try_pull(sink.pointer, patience.clockTime) else { return nil }
        defer { segue_sample_unref(sample) }
        guard var piece = DeckSamples(sample) else { return nil }
        if let link { piece.bring(into: link, trim: feed?.trim) }
        if let blocks = feed?.blocks, let duration {
            piece.position = piece.position.map { blocks.place($0, of: duration) }
        }
        if piece.layout.channels > 2 {
            // AIFF names no speakers, and GStreamer takes six for those of the format of 1989, which no encoder writes.
            let mask = has("aiffparse") ? 0 : gst_sample_get_caps(sample).map(CapsFormat.channelMask) ?? 0
            channels.arrange(&piece, mask: mask, isFLAC: has("flacdec"))
        }
        return piece
    }
}
