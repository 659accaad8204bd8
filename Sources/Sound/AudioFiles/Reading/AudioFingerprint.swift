import CSound

/// Computes acoustic fingerprints of audio files, by which MusicBrainz and AcoustID know recordings.
package enum AudioFingerprint {
    private static let element = "chromaprint"
    /// How long one file may take, in milliseconds; decoding runs far above the speed of listening.
    private static let patience = 120_000

    /// True if the system can compute fingerprints.
    /// - Isolation: blocks while GStreamer starts; call it on a thread that may wait.
    package static var isAvailable: Bool { GStreamerLibrary.failure == nil && GStreamerLibrary.has(element) }

    /// The Chromaprint fingerprint of a file's first two minutes.
    /// - Throws: `AudioFileError` when the file can't be decoded or is too short.
    /// - Isolation: blocks for seconds; call it on a thread that may wait.
    package static func read(path: String) throws -> String {
        guard isAvailable else { throw AudioFileError(message: "the element \(element) is missing") }
        let (pipeline, _) = try SongSamples.pipeline(
            path, "audioconvert name=convert ! audioresample ! \(element) name=print ! fakesink sync=false")
        guard let print = pipeline.child("print") else { throw AudioFileError(message: "it is too short") }
        pipeline.setState(GST_STATE_PLAYING)
        defer { pipeline.setState(GST_STATE_NULL) }
        guard let message = pipeline.message(.any(GST_MESSAGE_EOS, GST_MESSAGE_ERROR), milliseconds: patience)
        else { throw AudioFileError(message: "decoding took too long") }
        if message.isKind(GST_MESSAGE_ERROR) { throw AudioFileError(message: ErrorMessages.text(of: message)) }
        guard let text = segue_get_string(print.pointer, "fingerprint")
        else { throw AudioFileError(message: "it is too short") }
        defer { g_free(text) }
        let fingerprint = String(cString: text)
        guard !fingerprint.isEmpty else { throw AudioFileError(message: "it is too short") }
        return fingerprint
    }
}
