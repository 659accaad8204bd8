import CSound

/// The elements of sinks whose writing to the device can be watched for gaps.
enum WatchedSink {
    /// The element in place of one of GStreamer's: itself where there is no other.
    static func name(of element: String) -> String { element == "alsasink" && hasALSA ? alsa : element }

    private static let alsa = "segue-alsasink"
    private static let hasALSA = segue_gaps_register_alsa(alsa) != 0
}
