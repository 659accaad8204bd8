import CGStreamer
import Glibc
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
    }

    /// For so long nothing may come of a file, in nanoseconds.
    private static let patience: UInt = 1_000_000_000
    private static let silentPieces = 60

    /// Decodes a file and hands over its pieces in order, until `take` wants no more.
    ///
    /// The decoder waits while a piece is being taken: a thread of the lowest priority makes the whole work one.
    /// - Throws: `AudioFileError` when the file can't be decoded to its end.
    /// - Isolation: blocks for seconds; call it on a thread that may wait.
    package static func read(path: String, _ take: (Piece) -> Bool) throws {
        let (pipeline, sink, feed) = try make(path)
        pipeline.setState(GST_STATE_PLAYING)
        defer { pipeline.setState(GST_STATE_NULL) }
        var silent = 0
        try withExtendedLifetime(feed) {
            while silent < silentPieces {
                if let sample = segue_appsink_try_pull(sink.pointer, patience) {
                    silent = 0
                    defer { segue_sample_unref(sample) }
                    guard let piece = DeckSamples(sample) else { continue }
                    let wantsMore = take(
                        Piece(rate: piece.layout.rate, channels: piece.layout.channels, samples: piece.samples))
                    if !wantsMore { return }
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
            + "! appsink name=sink sync=false enable-last-sample=false max-buffers=4"
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
