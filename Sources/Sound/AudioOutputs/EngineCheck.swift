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

    private typealias Need = (element: String, purpose: String, package: String)

    private static let essentials: [Need] = [
        ("decodebin", "all playback", base), ("audioconvert", "all playback", base),
        ("audioresample", "all playback", base), ("appsrc", "all playback", base), ("appsink", "all playback", base),
        ("queue", "all playback", core),
    ]
    private static let needs: [Need] = [
        ("flacparse", "FLAC", good), ("flacdec", "FLAC", good), ("mpegaudioparse", "MP3", good),
        ("mpg123audiodec", "MP3", good), ("id3demux", "MP3 tags", good), ("oggdemux", "Ogg", base),
        ("vorbisdec", "Vorbis", base), ("opusdec", "Opus", base), ("opusparse", "Opus", bad), ("qtdemux", "M4A", good),
        ("aacparse", "AAC", good), ("avdec_aac", "AAC", libav), ("avdec_alac", "ALAC", libav),
        ("avdec_ape", "Monkey's Audio", libav), ("wavparse", "WAV", good), ("aiffparse", "AIFF", bad),
        ("wavpackdec", "WavPack", good), ("musepackdec", "Musepack", bad), ("souphttpsrc", "radio streams", good),
        ("chromaprint", "acoustic fingerprints", bad), ("icydemux", "radio titles", good),
        ("hlsdemux", "radio streams over HLS", bad), ("alsasink", "output alsa", "gstreamer1.0-alsa"),
        ("pulsesink", "output pulse", "gstreamer1.0-pulseaudio"), ("jackaudiosink", "output jack", good),
        ("fakesink", "output null", core), ("flacenc", "streams and recordings in FLAC", good),
        ("opusenc", "streams and recordings in Opus", base), ("vorbisenc", "streams and recordings in Vorbis", base),
        ("oggmux", "streams and recordings in Opus and Vorbis", base),
        ("lamemp3enc", "streams and recordings in MP3", good),
    ]
    private static let (core, base) = ("libgstreamer1.0-0", "gstreamer1.0-plugins-base")
    private static let (good, bad) = ("gstreamer1.0-plugins-good", "gstreamer1.0-plugins-bad")
    private static let libav = "gstreamer1.0-libav"

    /// The Debian and Ubuntu package that brings an element.
    package static func package(of element: String) -> String {
        (essentials + needs).first { $0.element == element }?.package ?? (element == "pitch" ? bad : good)
    }

    /// Makes sure that GStreamer works, and that it has an element.
    static func require(_ element: String? = nil) throws(OutputProblem) {
        if let failure = GStreamerLibrary.failure { throw OutputProblem("GStreamer doesn't work: \(failure)") }
        guard let element, !GStreamerLibrary.has(element) else { return }
        throw OutputProblem("GStreamer's \(element) is missing: install \(package(of: element))")
    }

    /// Why GStreamer doesn't start at all; nil when it does. Blocks while GStreamer starts.
    package static var failure: String? { GStreamerLibrary.failure }

    /// The parts that are missing, in the order of importance. Blocks while GStreamer starts.
    package static func missing() -> [Missing] {
        (essentials + needs).enumerated().filter { !GStreamerLibrary.has($1.element) }.map { index, need in
            Missing(
                element: need.element, purpose: need.purpose, package: need.package,
                isEssential: index < essentials.count)
        }
    }

    /// The plug-ins that outputs begin with and that can't be made, a sentence each. Blocks while they are loaded.
    package static func plugins(of outputs: [OutputSpecification]) -> [String] {
        guard GStreamerLibrary.failure == nil else { return [] }
        var problems: [String] = []
        for output in outputs {
            do throws(SettingProblem) { try output.filters.effects?.check() } catch {
                problems.append("effects of output \"\(output.name)\": \(error)")
            }
            do throws(SettingProblem) { try output.filters.graph?.check() } catch {
                problems.append("graph of output \"\(output.name)\": \(error)")
            }
        }
        return problems
    }
}
