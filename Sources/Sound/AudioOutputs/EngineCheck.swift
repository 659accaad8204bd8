import AudioFiles
package import Outputs

/// The parts of GStreamer that are missing on this machine, for `segue check`.
package enum EngineCheck {
    /// An element that is not installed.
    package struct Missing: Hashable, Sendable {
        /// The GStreamer element.
        package var element: String
        /// The feature that doesn't work without it, such as `MP3` or `output alsa`.
        package var purpose: String
        /// The Debian and Ubuntu package that brings it.
        package var package: String
        /// True if nothing at all plays without it.
        package var isEssential: Bool
    }

    private static let needs: [(element: String, purpose: String, isEssential: Bool)] = [
        ("decodebin", "all playback", true), ("audioconvert", "all playback", true),
        ("audioresample", "all playback", true),
        ("appsrc", "all playback", true), ("appsink", "all playback", true),
        ("queue", "all playback", true), ("flacparse", "FLAC", false), ("flacdec", "FLAC", false),
        ("mpegaudioparse", "MP3", false), ("mpg123audiodec", "MP3", false), ("id3demux", "MP3 tags", false),
        ("oggdemux", "Ogg", false), ("vorbisdec", "Vorbis", false), ("opusdec", "Opus", false),
        ("opusparse", "Opus", false),
        ("qtdemux", "M4A", false), ("aacparse", "AAC", false), ("avdec_aac", "AAC", false),
        ("avdec_alac", "ALAC", false),
        ("avdec_ape", "Monkey's Audio", false), ("wavparse", "WAV", false), ("aiffparse", "AIFF", false),
        ("wavpackdec", "WavPack", false), ("musepackdec", "Musepack", false), ("souphttpsrc", "radio streams", false),
        ("chromaprint", "acoustic fingerprints", false), ("icydemux", "radio titles", false),
        ("hlsdemux", "radio streams over HLS", false),
        ("alsasink", "output alsa", false), ("pulsesink", "output pulse", false),
        ("jackaudiosink", "output jack", false),
        ("fakesink", "output null", false), ("flacenc", "streams and recordings in FLAC", false),
        ("opusenc", "streams and recordings in Opus", false), ("vorbisenc", "streams and recordings in Vorbis", false),
        ("oggmux", "streams and recordings in Opus and Vorbis", false),
        ("lamemp3enc", "streams and recordings in MP3", false),
    ]

    private static let packages: [String: String] = [
        "fakesink": "libgstreamer1.0-0", "queue": "libgstreamer1.0-0", "alsasink": "gstreamer1.0-alsa",
        "pulsesink": "gstreamer1.0-pulseaudio",
        "opusparse": "gstreamer1.0-plugins-bad", "aiffparse": "gstreamer1.0-plugins-bad",
        "hlsdemux": "gstreamer1.0-plugins-bad", "chromaprint": "gstreamer1.0-plugins-bad",
        "pitch": "gstreamer1.0-plugins-bad",
        "musepackdec": "gstreamer1.0-plugins-bad",
        "decodebin": "gstreamer1.0-plugins-base",
        "audioconvert": "gstreamer1.0-plugins-base", "audioresample": "gstreamer1.0-plugins-base",
        "appsrc": "gstreamer1.0-plugins-base", "appsink": "gstreamer1.0-plugins-base",
        "oggdemux": "gstreamer1.0-plugins-base", "vorbisdec": "gstreamer1.0-plugins-base",
        "opusdec": "gstreamer1.0-plugins-base", "vorbisenc": "gstreamer1.0-plugins-base",
        "opusenc": "gstreamer1.0-plugins-base", "oggmux": "gstreamer1.0-plugins-base",
    ]

    /// The Debian and Ubuntu package that brings an element.
    package static func package(of element: String) -> String {
        packages[element] ?? (element.hasPrefix("av") ? "gstreamer1.0-libav" : "gstreamer1.0-plugins-good")
    }

    /// Why GStreamer doesn't start at all; nil when it does.
    ///
    /// - Isolation: blocks while GStreamer starts; call it on a thread that may wait.
    package static var failure: String? { GStreamerLibrary.failure }

    /// The parts that are missing, in the order of importance.
    ///
    /// - Isolation: blocks while GStreamer starts; call it on a thread that may wait.
    package static func missing() -> [Missing] {
        needs.filter { !GStreamerLibrary.has($0.element) }.map {
            Missing(
                element: $0.element, purpose: $0.purpose, package: package(of: $0.element), isEssential: $0.isEssential)
        }
    }

    /// The plug-ins that outputs begin with and that can't be made, a sentence each.
    ///
    /// - Isolation: blocks while plug-ins are loaded; call it on a thread that may wait.
    package static func plugins(of outputs: [OutputSpecification]) -> [String] {
        guard GStreamerLibrary.failure == nil else { return [] }
        return outputs.flatMap { output in
            var problems: [String] = []
            do throws(EffectProblem) { try output.filters.effects?.check() } catch {
                problems.append("effects of output \"\(output.name)\": \(error)")
            }
            do throws(EffectProblem) { try output.filters.graph?.check() } catch {
                problems.append("graph of output \"\(output.name)\": \(error)")
            }
            return problems
        }
    }
}
