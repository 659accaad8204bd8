import CSound
import Glibc
import MusicModel
import Playback

/// Computes acoustic fingerprints of audio files, by which MusicBrainz and AcoustID know recordings.
package enum AudioFingerprint {
    private static let element = "chromaprint"
    /// How long one file may take, in milliseconds; decoding runs far above the speed of listening.
    private static let patience = 120_000

    /// True if the system can compute fingerprints.
    ///
    /// - Isolation: blocks while GStreamer starts; call it on a thread that may wait.
    package static var isAvailable: Bool { GStreamerLibrary.failure == nil && GStreamerLibrary.has(element) }

    /// The Chromaprint fingerprint of a file's first two minutes.
    ///
    /// - Throws: `AudioFileError` when the file can't be decoded or is too short.
    /// - Isolation: blocks for seconds; call it on a thread that may wait.
    package static func read(path: String) throws -> String {
        let feed = try feed(path)
        // See `DeckPipeline`.
        let isMusepack = AudioFileReader.isMusepack(path) && GStreamerLibrary.has("musepackdec")
        let decoder = isMusepack ? "musepackdec" : "decodebin"
        let launch =
            "\(decoder) name=decode ! audioconvert name=convert ! audioresample ! \(element) name=print ! fakesink sync=false"
        guard let pipeline = PipelineReference(launch: launch), let decode = pipeline.child("decode"),
            let print = pipeline.child("print"), let convert = pipeline.child("convert"),
            let source = TrackSource.make(feed)
        else { throw AudioFileError(message: "the element \(element) is missing") }
        if !isMusepack { ElementPolicy.file.rule(decode.pointer) }
        SoundLimits.set(on: convert)
        segue_bin_add(pipeline.element.pointer, source)
        gst_element_link(source, decode.pointer)
        pipeline.setState(GST_STATE_PLAYING)
        defer { pipeline.setState(GST_STATE_NULL) }
        guard let message = pipeline.message(.any(GST_MESSAGE_EOS, GST_MESSAGE_ERROR), milliseconds: patience) else {
            throw AudioFileError(message: "decoding took too long")
        }
        if message.isKind(GST_MESSAGE_ERROR) { throw AudioFileError(message: ErrorMessages.text(of: message)) }
        guard let text = segue_get_string(print.pointer, "fingerprint") else {
            throw AudioFileError(message: "it is too short")
        }
        defer { g_free(text) }
        let fingerprint = String(cString: text)
        guard !fingerprint.isEmpty else { throw AudioFileError(message: "it is too short") }
        return fingerprint
    }

    /// Opens a file for decoding.
    static func feed(_ path: String) throws -> TrackFeed {
        guard let status = DiskPath(path).status() else {
            throw AudioFileError(message: String(cString: strerror(errno)))
        }
        do {
            let feed = try TrackFeed(TrackFile(completePath: path, suffix: "", size: Int64(status.st_size)))
            try feed.readForm()
            return feed
        } catch {
            throw AudioFileError(message: (error as? TrackError)?.message ?? "it can't be read", cause: error)
        }
    }
}
