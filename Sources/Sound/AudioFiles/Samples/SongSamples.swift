import CSound
import Coordination
import Glibc
package import MusicModel
import Playback

/// Decodes whole audio files, as fast as the samples are taken.
package enum SongSamples {
    /// A piece of a file's sound.
    package struct Piece {
        /// Frames a second.
        package let rate: Int
        /// Samples a frame, in the order in which GStreamer has channels.
        package let channels: Int
        /// The samples, interleaved; full scale is 1.
        package let samples: [Float]
        /// The frames that were decoded for it: more than it has where some are not the part's.
        package let decoded: Int
        fileprivate var isLast = false
    }

    private static let patience: Nanoseconds = .seconds(1)
    private static let silentPieces = 60

    /// Decodes a file and hands over its pieces in order, until `take` wants no more. The sound before a part comes as
    /// pieces without samples; of a FLAC or WAV file only the last second or two, as positions are exact there. The
    /// decoder waits while a piece is taken: a thread of the lowest priority makes the whole work one.
    /// - Parameter whenStarted: runs on the calling thread when all of the decoder's run, which have its priority.
    /// - Throws: `AudioFileError` when the file can't be decoded to its end.
    /// - Isolation: blocks for seconds; call it on a thread that may wait.
    package static func read(
        path: String, part: SongRange? = nil, _ take: (Piece) -> Bool, whenStarted: () -> Void = {}
    ) throws {
        var isStarted = false
        try read(path, part, seeks: part != nil && findsPlaces(path)) { piece in
            if !isStarted { whenStarted() }
            isStarted = true
            return take(piece)
        }
    }

    private static func read(_ path: String, _ part: SongRange?, seeks: Bool, _ take: (Piece) -> Bool) throws {
        let (pipeline, sink, feed) = try make(path)
        defer { pipeline.setState(GST_STATE_NULL) }
        // The frames before the next piece, whose position tells them behind a seek.
        var start = (isUnknown: false, frames: 0)
        if let part, seeks { start.isUnknown = try seek(part.start, pipeline, sink) }
        pipeline.setState(GST_STATE_PLAYING)
        var silent = 0
        try withExtendedLifetime(feed) {
            while silent < silentPieces {
                if let sample = segue_appsink_try_pull(sink.pointer, patience.clockTime) {
                    silent = 0
                    defer { segue_sample_unref(sample) }
                    guard let piece = DeckSamples(sample) else { continue }
                    if start.isUnknown {
                        guard let place = piece.position else { return try read(path, part, seeks: false, take) }
                        start = (false, frame(place.duration, piece.layout.rate))
                    }
                    let own = cut(piece, from: &start.frames, feed.trim(in: pipeline), part)
                    if !own.samples.isEmpty || part != nil, !take(own) { return }
                    if own.isLast { return }
                    continue
                }
                if let message = pipeline.message(GST_MESSAGE_ERROR, milliseconds: 0) {
                    throw AudioFileError(message: ErrorMessages.text(of: message))
                }
                if segue_appsink_is_eos(sink.pointer) != 0 { return }
                silent += 1
            }
            throw AudioFileError(message: "decoding took too long")
        }
    }

    private static func cut(
        _ piece: DeckSamples, from given: inout Int, _ trim: TrackTrim?, _ part: SongRange?
    ) -> Piece {
        let (layout, start) = (piece.layout, given)
        let frames = piece.samples.count / layout.channels
        given = given.addingClamped(frames)
        let skipped = trim.map { Int(clamping: $0.skip(at: layout.rate)) } ?? 0
        var first = skipped
        var end = trim?.frames(at: layout.rate).map { skipped.addingClamped(Int(clamping: $0)) } ?? .max
        var isLast = false
        if let part {
            let last = part.end.map { skipped.addingClamped(frame($0, layout.rate)) } ?? .max
            first = max(first, skipped.addingClamped(frame(part.start, layout.rate)))
            (end, isLast) = (min(end, last), given >= last)
        }
        let from = (first - start).clamped(to: 0...frames)
        let wanted = from..<max(from, min(frames, end - start))
        let samples =
            wanted.count == frames
            ? piece.samples
            : Array(piece.samples[(wanted.lowerBound * layout.channels)..<(wanted.upperBound * layout.channels)])
        return Piece(rate: layout.rate, channels: layout.channels, samples: samples, decoded: frames, isLast: isLast)
    }

    /// True if the decoder of a file says to the sample where it is behind a seek: it holds FLAC or plain samples.
    private static func findsPlaces(_ path: String) -> Bool {
        HeaderBytes.reading(path) { source in
            if source.name(at: 0) == "fLaC" { return true }
            // Whole numbers, floats, and either with more to say about them.
            return source.name(at: 0) == "RIFF" && source.bytes(at: 8, count: 8).elementsEqual("WAVEfmt ".utf8)
                && [1, 3, 0xFFFE].contains(source.little(at: 20, count: 2))
        } ?? false
    }

    /// Goes to a position a little before this one; false where it can't, and all is decoded.
    private static func seek(
        _ place: Duration, _ pipeline: PipelineReference, _ sink: ElementReference
    ) throws -> Bool {
        // At whole seconds frames begin at any rate, so that none is taken for its neighbour.
        let seconds = place.components.seconds.subtractingClamped(1)
        guard seconds > 0 else { return false }
        pipeline.setState(GST_STATE_PAUSED)
        let ends: GstMessageType = .any(GST_MESSAGE_ASYNC_DONE, GST_MESSAGE_ERROR)
        guard let message = pipeline.message(ends, milliseconds: silentPieces * 1000)
        else { throw AudioFileError(message: "decoding took too long") }
        if message.isKind(GST_MESSAGE_ERROR) { throw AudioFileError(message: ErrorMessages.text(of: message)) }
        // Such sound looks like samples and has no exact positions.
        if Self.hidden.contains(where: { segue_bin_has(pipeline.element.pointer, $0) != 0 }) { return false }
        let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
        return gst_element_seek(
            sink.pointer, 1, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET,
            Nanoseconds.seconds(Int(seconds)).signedClockTime, GST_SEEK_TYPE_NONE, -1) != 0
    }

    /// Decoders of surround sound that is written as samples.
    private static let hidden = ["dcaparse", "dtsdec", "avdec_dca", "ac3parse", "a52dec", "avdec_ac3"]

    private static func frame(_ place: Duration, _ rate: Int) -> Int {
        Int(saturating: (place / .seconds(1) * Double(rate)).rounded())
    }

    private static func make(_ path: String) throws -> (PipelineReference, ElementReference, TrackFeed) {
        let (pipeline, feed) = try pipeline(
            path,
            """
            audioconvert name=convert dithering=none ! audio/x-raw,format=F32LE,layout=interleaved \
            ! appsink name=sink sync=false enable-last-sample=false max-buffers=16
            """)
        guard let sink = pipeline.child("sink") else { throw AudioFileError(message: "GStreamer has no appsink") }
        return (pipeline, sink, feed)
    }

    /// Builds a pipeline that decodes a file into a tail of elements, one of which is called `convert`.
    static func pipeline(_ path: String, _ tail: String) throws -> (PipelineReference, TrackFeed) {
        if let failure = GStreamerLibrary.failure {
            throw AudioFileError(message: "GStreamer doesn't work: \(failure)")
        }
        let feed = try feed(path)
        // `decodebin` sometimes links this decoder only after it has begun, and it then stops without a word.
        let isMusepack = AudioFileReader.isMusepack(path) && GStreamerLibrary.has("musepackdec")
        let decoder = isMusepack ? "musepackdec" : "decodebin expose-all-streams=false caps=audio/x-raw"
        guard let pipeline = PipelineReference(launch: "\(decoder) name=decode ! \(tail)"),
            let decode = pipeline.child("decode"), let convert = pipeline.child("convert"),
            let source = TrackSource.make(feed)
        else { throw AudioFileError(message: "GStreamer's base plug-ins are missing") }
        if !isMusepack { ElementPolicy.file.rule(decode.pointer) }
        SoundLimits.set(on: convert)
        segue_bin_add(pipeline.element.pointer, source)
        gst_element_link(source, decode.pointer)
        return (pipeline, feed)
    }

    private static func feed(_ path: String) throws -> TrackFeed {
        guard let status = DiskPath(path).status()
        else { throw AudioFileError(message: String(cString: strerror(errno))) }
        do {
            let feed = try TrackFeed(TrackFile(completePath: path, suffix: "", size: Int64(status.st_size)))
            try feed.readForm()
            return feed
        } catch {
            throw AudioFileError(message: (error as? TrackError)?.message ?? "it can't be read", cause: error)
        }
    }
}
