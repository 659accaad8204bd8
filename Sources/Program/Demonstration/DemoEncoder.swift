import AudioFiles
import Coordination
import CSound
import FoundationEssentials

/// Encodes samples into a tagged file.
enum DemoEncoder {
    struct Format: Sendable {
        var suffix: String
        /// The encoder in GStreamer's launch syntax.
        var pipeline: String
        var takesPicture = true

        var elements: [String] { pipeline.split(separator: " ! ").map { String($0.prefix { $0 != " " }) } }
    }

    static let flac = Format(suffix: "flac", pipeline: "flacenc")
    static let wav = Format(suffix: "wav", pipeline: "wavenc", takesPicture: false)
    static let vorbis = Format(suffix: "ogg", pipeline: "vorbisenc quality=0.5 ! oggmux")
    static let opus = Format(suffix: "opus", pipeline: "opusenc bitrate=112000 ! oggmux")
    static let mp3 = Format(suffix: "mp3", pipeline: "lamemp3enc target=bitrate bitrate=192 ! id3v2mux")

    /// M4A with the first AAC encoder that is there.
    static var m4a: Format {
        let encoder = ["fdkaacenc", "avenc_aac", "voaacenc"].first { GStreamerLibrary.has($0) } ?? "avenc_aac"
        return Format(suffix: "m4a", pipeline: "\(encoder) bitrate=160000 ! aacparse ! mp4mux faststart=true")
    }

    static func isAvailable(_ format: Format) -> Bool { format.elements.allSatisfy(GStreamerLibrary.has) }

    /// Writes a file of 16-bit samples, with `rate` frames a second; blocks.
    static func encode(
        _ samples: [Int16], rate: Int = 44100, channels: Int = 2, as format: Format, tags: DemoTags, to path: String
    ) throws {
        let launch = """
            appsrc name=source format=time max-bytes=0 \
            caps=audio/x-raw,format=S16LE,rate=\(rate),channels=\(channels),layout=interleaved \
            ! audioconvert ! audioresample ! \(format.pipeline) ! filesink name=sink
            """
        guard let pipeline = PipelineReference(launch: launch), let source = pipeline.child("source"),
            let sink = pipeline.child("sink")
        else { throw AudioFileError(message: "the encoder for .\(format.suffix) files is missing") }
        segue_set_string(sink.pointer, "location", path)
        tags.set(on: pipeline.element, withPicture: format.takesPicture)
        pipeline.setState(GST_STATE_PLAYING)
        push(samples, SampleLayout(rate: rate, channels: channels), into: source)
        let message = pipeline.message(.any(GST_MESSAGE_EOS, GST_MESSAGE_ERROR), milliseconds: 30_000)
        guard let message else { throw AudioFileError(message: "encoding took too long") }
        if message.isKind(GST_MESSAGE_ERROR) { throw AudioFileError(message: ErrorMessages.text(of: message)) }
        pipeline.setState(GST_STATE_NULL)
    }

    private static func push(_ samples: [Int16], _ layout: SampleLayout, into source: ElementReference) {
        let channels = layout.channels
        let piece = layout.rate * channels
        for start in stride(from: 0, to: samples.count, by: piece) {
            let part = samples[start..<min(start + piece, samples.count)]
            part.withUnsafeBytes { bytes in
                guard let buffer = gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else { return }
                gst_buffer_fill(buffer, 0, bytes.baseAddress, gsize(bytes.count))
                buffer.pointee.pts = layout.length(frames: start / channels).clockTime
                buffer.pointee.duration = layout.length(frames: part.count / channels).clockTime
                _ = segue_appsrc_push(source.pointer, buffer)
            }
        }
        _ = segue_appsrc_end(source.pointer)
    }
}

struct DemoTags: Sendable {
    var title = ""
    var artists: [String] = []
    var album = ""
    var albumArtist = ""
    var composer = ""
    var genres: [String] = []
    var track = 0
    var trackCount = 0
    var disc = 0
    var date: (year: Int, month: Int, day: Int) = (0, 0, 0)
    var picture: [UInt8] = []
    /// More texts by GStreamer's names.
    var others: [(name: String, value: String)] = []
    var fractions: [(name: String, value: Double)] = []

    /// Sets the tags on every element of a pipeline that takes some.
    func set(on pipeline: ElementReference, withPicture: Bool) {
        guard let list = gst_tag_list_new_empty() else { return }
        defer { segue_tags_unref(list) }
        let texts = [("title", title), ("album", album), ("album-artist", albumArtist), ("composer", composer)]
        for (name, value) in texts where !value.isEmpty { segue_tags_add_string(list, name, value) }
        for artist in artists { segue_tags_add_string(list, "artist", artist) }
        for genre in genres { segue_tags_add_string(list, "genre", genre) }
        for (name, value) in others { segue_tags_add_string(list, name, value) }
        for (name, value) in fractions { segue_tags_add_double(list, name, value) }
        for (name, value) in [("track-number", track), ("track-count", trackCount), ("album-disc-number", disc)]
        where value > 0 {
            segue_tags_add_uint(list, name, guint(value))
        }
        if date.year > 0 { segue_tags_add_date(list, guint(date.year), guint(date.month), guint(date.day)) }
        if withPicture { addPicture(to: list) }
        segue_bin_set_tags(pipeline.pointer, list)
    }

    private func addPicture(to list: UnsafeMutablePointer<GstTagList>) {
        guard !picture.isEmpty, let buffer = gst_buffer_new_allocate(nil, gsize(picture.count), nil) else { return }
        _ = picture.withUnsafeBytes { gst_buffer_fill(buffer, 0, $0.baseAddress, gsize($0.count)) }
        segue_tags_add_image(list, buffer, "image/png")
        segue_buffer_unref(buffer)
    }
}
