import CGStreamer
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
        /// Whether nothing behind it belongs to the part.
        fileprivate var isLast = false
    }

    /// For so long nothing may come of a file, in nanoseconds.
    private static let patience: UInt = 1_000_000_000
    private static let silentPieces = 60

    /// Decodes a file and hands over its pieces in order, until `take` wants no more.
    ///
    /// The sound before a part is decoded, too, which is exact, and comes as pieces without samples. The decoder waits
    /// while a piece is being taken: a thread of the lowest priority makes the whole work one.
    /// - Throws: `AudioFileError` when the file can't be decoded to its end.
    /// - Isolation: blocks for seconds; call it on a thread that may wait.
    package static func read(path: String, part: SongRange? = nil, _ take: (Piece) -> Bool) throws {
        let (pipeline, sink, feed) = try make(path)
        pipeline.setState(GST_STATE_PLAYING)
        defer { pipeline.setState(GST_STATE_NULL) }
        var (silent, given) = (0, 0)
        try withExtendedLifetime(feed) {
            while silent < silentPieces {
                if let sample = segue_appsink_try_pull(sink.pointer, patience) {
                    silent = 0
                    defer { segue_sample_unref(sample) }
                    guard let piece = DeckSamples(sample) else { continue }
                    let own = cut(piece, from: &given, DeckPipeline.trim(of: feed, in: pipeline), part)
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

    /// The part of a piece that belongs to the song: encoders put silence around it.
    private static func cut(
        _ piece: DeckSamples, from given: inout Int, _ trim: TrackTrim?, _ part: SongRange?
    ) -> Piece {
        let (layout, start) = (piece.layout, given)
        let frames = piece.samples.count / layout.channels
        given = given.addingClamped(frames)
        var wanted = 0..<frames
        if let trim {
            let first = Int(clamping: trim.skip(at: layout.rate))
            let end = trim.frames(at: layout.rate).map { first.addingClamped(Int(clamping: $0)) } ?? .max
            wanted = max(0, min(frames, first - start))..<frames
            wanted = wanted.clamped(to: 0..<max(0, min(frames, end - start)))
        }
        var isLast = false
        if let part {
            let skipped = trim.map { Int(clamping: $0.skip(at: layout.rate)) } ?? 0
            let first = skipped.addingClamped(frame(part.start, layout.rate))
            let end = part.end.map { skipped.addingClamped(frame($0, layout.rate)) } ?? .max
            wanted = wanted.clamped(to: max(0, min(frames, first - start))..<frames)
            wanted = wanted.clamped(to: 0..<max(0, min(frames, end - start)))
            isLast = given >= end
        }
        let samples =
            wanted.count == frames
            ? piece.samples
            : Array(piece.samples[(wanted.lowerBound * layout.channels)..<(wanted.upperBound * layout.channels)])
        return Piece(rate: layout.rate, channels: layout.channels, samples: samples, isLast: isLast)
    }

    private static func frame(_ place: Duration, _ rate: Int) -> Int {
        Int(saturating: (place / .seconds(1) * Double(rate)).rounded())
    }

    private static func make(_ path: String) throws -> (PipelineReference, ElementReference, TrackFeed) {
        if let failure = GStreamerLibrary.failure {
            throw AudioFileError(message: "GStreamer doesn't work: \(failure)")
        }
        let feed = try AudioFingerprint.feed(path)
        // See `DeckPipeline`.
        let isMusepack = AudioFileReader.isMusepack(path) && GStreamerLibrary.has("musepackdec")
        let decoder = isMusepack ? "musepackdec" : "decodebin expose-all-streams=false caps=audio/x-raw"
        let launch =
            "\(decoder) name=decode ! audioconvert name=convert dithering=none "
            + "! audio/x-raw,format=F32LE,layout=interleaved "
            + "! appsink name=sink sync=false enable-last-sample=false max-buffers=16"
        guard let pipeline = PipelineReference(launch: launch), let decode = pipeline.child("decode"),
            let convert = pipeline.child("convert"), let sink = pipeline.child("sink"),
            let source = TrackSource.make(feed)
        else { throw AudioFileError(message: "GStreamer's base plug-ins are missing") }
        if !isMusepack { ElementPolicy.file.rule(decode.pointer) }
        SoundLimits.set(on: convert)
        segue_bin_add(pipeline.element.pointer, source)
        gst_element_link(source, decode.pointer)
        return (pipeline, sink, feed)
    }
}
