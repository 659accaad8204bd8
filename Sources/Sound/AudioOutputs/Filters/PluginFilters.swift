import CSound
import MusicModel
package import Outputs

/// An element of GStreamer, at work: one for all channels, or one for each where it takes a single one.
final class EffectFilter: PluginFilter {
    private var instances: [OpaquePointer] = []
    private let channels: Int
    private var lines: [[Float]] = []
    let name: String

    init(_ effect: EffectChain.Effect, rate: Int, channels: Int) throws(SettingProblem) {
        (name, self.channels) = (effect.element, channels)
        let (mask, hertz) = (guint64(Speaker.mask(channels: channels)), gint(clamping: rate))
        let first = try effect.make()
        defer { segue_unref(first) }
        let feed = segue_effect_feed(first, hertz, gint(clamping: channels), mask)
        guard feed != SEGUE_FEED_REFUSED else {
            throw SettingProblem("it doesn't take \(channels) channels at \(rate) Hz")
        }
        guard feed == SEGUE_FEED_CHANNELS, channels > 1 else {
            let converts: gboolean = feed == SEGUE_FEED_CONVERTED ? 1 : 0
            try add(segue_effect_new(first, hertz, gint(clamping: channels), mask, converts))
            return
        }
        lines = Array(repeating: [], count: channels)
        for channel in 0..<channels {
            let element = channel == 0 ? first : try effect.make()
            defer { if channel > 0 { segue_unref(element) } }
            try add(segue_effect_new(element, hertz, 1, 0, 0))
        }
    }

    deinit { for instance in instances { segue_effect_free(instance) } }

    private func add(_ instance: OpaquePointer?) throws(SettingProblem) {
        guard let instance else { throw SettingProblem("it doesn't start") }
        instances.append(instance)
        if let error = segue_effect_error(instance) { throw SettingProblem(String(cString: error)) }
    }

    func process(_ samples: [Float], into output: inout [Float]) throws(SettingProblem) {
        guard !lines.isEmpty else { return try push(samples, through: instances[0], into: &output) }
        for (channel, instance) in instances.enumerated() {
            let line = stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
            try push(line, through: instance, into: &lines[channel])
        }
        let frames = lines.map(\.count).min() ?? 0
        output.reserveCapacity(output.count + frames * channels)
        for frame in 0..<frames { for channel in 0..<channels { output.append(lines[channel][frame]) } }
        for channel in 0..<channels { lines[channel].removeFirst(frames) }
    }

    private func push(
        _ samples: [Float], through instance: OpaquePointer, into output: inout [Float]
    ) throws(SettingProblem) {
        guard segue_effect_push(instance, samples, gsize(samples.count)) != 0 else {
            throw SettingProblem(segue_effect_error(instance).map { String(cString: $0) } ?? "it failed")
        }
        var count: gsize = 0
        guard let result = segue_effect_output(instance, &count) else { return }
        output.append(contentsOf: UnsafeBufferPointer(start: result, count: Int(count)))
    }
}

extension EffectChain.Effect {
    /// Makes the element with its values; the reference is the caller's.
    fileprivate func make() throws(SettingProblem) -> UnsafeMutablePointer<GstElement> {
        switch segue_effect_kind(element) {
        case SEGUE_EFFECT_MISSING: throw SettingProblem("GStreamer has no such element; \(cure)")
        case SEGUE_EFFECT_OTHER: throw SettingProblem("it is no filter of sound with one input and one output")
        default: break
        }
        guard let made = segue_effect_make(element) else { throw SettingProblem("GStreamer can't load it; \(cure)") }
        for setting in settings {
            guard let problem = segue_effect_set(made, setting.property, setting.value) else { continue }
            defer { g_free(problem) }
            segue_unref(made)
            throw SettingProblem(String(cString: problem))
        }
        return made
    }

    private var cure: String {
        if element.hasPrefix("ladspa-") {
            return "install gstreamer1.0-plugins-bad and the package of the LADSPA plug-in, such as swh-plugins"
        }
        return """
            install gstreamer1.0-plugins-good or gstreamer1.0-plugins-bad, and for an LV2 plug-in its own package; \
            `gst-inspect-1.0` lists what there is
            """
    }
}

extension EffectChain {
    /// Makes each element once, which blocks while plug-ins are loaded.
    /// - Throws: for the first one that is missing, is no filter, or can't have a value.
    package func check() throws(SettingProblem) {
        for effect in effects {
            do throws(SettingProblem) { segue_unref(try effect.make()) } catch {
                throw SettingProblem("\(effect.element): \(error)")
            }
        }
    }
}

extension Speaker {
    /// GStreamer's mask of the speakers of a number of channels.
    static func mask(channels: Int) -> UInt64 { layout(channels: channels).reduce(0) { $0 | 1 << $1.rawValue } }

    /// The same mask of WAVE and FFmpeg, which have the speakers at the sides one bit lower.
    static func waveMask(channels: Int) -> UInt64 {
        layout(channels: channels).reduce(0) { $0 | 1 << ($1.rawValue - ($1 == .sideLeft || $1 == .sideRight ? 1 : 0)) }
    }
}

/// A graph of FFmpeg's filters, at work.
final class GraphFilter: PluginFilter {
    private let graph: OpaquePointer
    let name = "the graph"

    init(_ graph: FilterGraph, rate: Int, channels: Int) throws(SettingProblem) {
        let mask = Speaker.waveMask(channels: channels)
        var reason = ""
        let made = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> OpaquePointer? in
            buffer.initialize(repeating: 0)
            let made = segue_graph_new(
                graph.text, Int32(clamping: rate), Int32(clamping: channels), mask, buffer.baseAddress, buffer.count)
            if made == nil, let start = buffer.baseAddress { reason = String(cString: start) }
            return made
        }
        guard let made else { throw SettingProblem(reason) }
        self.graph = made
    }

    deinit { segue_graph_free(graph) }

    func process(_ samples: [Float], into output: inout [Float]) throws(SettingProblem) {
        guard segue_graph_push(graph, samples, samples.count) != 0 else {
            throw SettingProblem(segue_graph_error(graph).map { String(cString: $0) } ?? "it failed")
        }
        var count = 0
        guard let result = segue_graph_output(graph, &count) else { return }
        output.append(contentsOf: UnsafeBufferPointer(start: result, count: count))
    }
}

extension FilterGraph {
    /// Makes the graph once, which blocks while FFmpeg is loaded.
    /// - Throws: FFmpeg's own words, or the package that is missing.
    package func check() throws(SettingProblem) { _ = try GraphFilter(self, rate: 48_000, channels: 2) }
}
