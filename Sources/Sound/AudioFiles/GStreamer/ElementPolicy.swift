package import CSound
import Glibc

/// Which of GStreamer's elements may be made because of what a file or a stream holds: left to itself it takes whatever
/// suits the bytes, and a file `song.mp3` that is a list of HLS would be fetched, or a list name `file:///etc/passwd`.
package enum ElementPolicy: Sendable {
    /// For what lies on disk: containers, parsers and decoders of sound.
    case file
    /// For what comes over HTTP: those, and what radio comes in.
    case stream

    func allows(_ factory: String) -> Bool {
        Self.sound.contains(factory) || self == .stream && Self.radio.contains(factory)
    }

    /// Has a `decodebin` make only what is allowed, lose nothing of that, and not run far ahead in a chained stream.
    package func rule(_ decode: UnsafeMutablePointer<GstElement>) {
        segue_prepare_decoders(decode)
        segue_bound_groups(decode, self == .stream ? 1 : 0)
        segue_connect(decode, "autoplug-select", unsafeBitCast(callback, to: GCallback.self), nil, nil)
    }

    func rule(_ discoverer: UnsafeMutablePointer<GstDiscoverer>) {
        // It hides its `uridecodebin`, but not the source that this has just made for itself.
        let callback:
            @convention(c) (
                UnsafeMutablePointer<GstDiscoverer>?, UnsafeMutablePointer<GstElement>?, UnsafeMutableRawPointer?
            ) -> Void = { _, source, _ in
                guard let source, let decode = segue_parent(source) else { return }
                ElementPolicy.file.rule(decode)
                segue_unref(decode)
            }
        segue_connect_discoverer(discoverer, "source-setup", unsafeBitCast(callback, to: GCallback.self))
    }

    /// Makes GStreamer forget all elements that open addresses but those for the web and for our own files, so that no
    /// list and no redirection can lead anywhere else. A demuxer asks for them by scheme, where nothing can object.
    static func forgetSources() {
        // `appsrc` is what outputs are fed by; an address of its kind names no data.
        let names: [String] = ["souphttpsrc", "seguesource", "appsrc"]
        let kept: [UnsafeMutablePointer<CChar>?] = names.map { strdup($0) }
        defer { for name in kept { free(name) } }
        let list: [UnsafePointer<CChar>?] = kept.map { name in name.map { UnsafePointer($0) } } + [nil]
        segue_forget_uri_sources(list)
    }

    static func opens(_ scheme: String) -> Bool { segue_opens(scheme) != 0 }

    private typealias Select =
        @convention(c) (
            UnsafeMutablePointer<GstElement>?, UnsafeMutablePointer<GstPad>?, UnsafeMutablePointer<GstCaps>?,
            OpaquePointer?, UnsafeMutableRawPointer?
        ) -> gint

    /// The answers to the signal `autoplug-select`: to take the factory, or to look at the next one.
    private static let (take, skip): (gint, gint) = (0, 2)

    private var callback: Select {
        switch self {
        case .file: { _, _, _, factory, _ in ElementPolicy.answer(.file, factory) }
        case .stream: { _, _, _, factory, _ in ElementPolicy.answer(.stream, factory) }
        }
    }

    private static func answer(_ policy: ElementPolicy, _ factory: OpaquePointer?) -> gint {
        guard let factory, let name = segue_factory_name(factory) else { return skip }
        return policy.allows(String(cString: name)) ? take : skip
    }

    /// The forms that radio comes in besides plain sound: titles between the bytes, and lists of pieces.
    private static let radio: Set<String> = ["icydemux", "hlsdemux", "dashdemux", "tsdemux"]

    private static let sound: Set<String> = Set(containers + parsers + decoders + libraryDecoders.map { "avdec_" + $0 })

    private static let containers = [
        "aiffparse", "apedemux", "asfdemux", "auparse", "avdemux_ape", "avdemux_dsf", "avdemux_mpc", "avdemux_mpc8",
        "avdemux_tta", "id3demux", "matroskademux", "oggdemux", "qtdemux", "wavparse",
    ]

    private static let parsers = [
        "aacparse", "ac3parse", "dcaparse", "flacparse", "mpegaudioparse", "opusparse", "vorbisparse", "wavpackparse",
    ]

    private static let decoders = [
        "a52dec", "adpcmdec", "alawdec", "dtsdec", "faad", "fdkaacdec", "flacdec", "mpg123audiodec", "mulawdec",
        "musepackdec", "opusdec", "speexdec", "vorbisdec", "wavpackdec",
    ]

    private static let libraryDecoders = [
        "aac", "aac_latm", "ac3", "adpcm_ima_qt", "adpcm_ima_wav", "adpcm_ms", "alac", "ape", "dca", "dsd_lsbf",
        "dsd_lsbf_planar", "dsd_msbf", "dsd_msbf_planar", "eac3", "flac", "mlp", "mp1float", "mp2float", "mp3",
        "mp3float", "mpc7", "mpc8", "opus", "speex", "truehd", "tta", "vorbis", "wavpack", "wmalossless", "wmapro",
        "wmav1", "wmav2", "wmavoice",
    ]
}
