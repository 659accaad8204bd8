import CSound
import MusicModel
package import Outputs

/// An element of GStreamer, at work: one for all channels, or one for each where it takes a single one.
final class EffectFilter: PluginFilter {
    private var instances: [OpaquePointer] = []
    private let channels: Int
    /// The samples of instances of single channels, until all have given theirs.
    private var lines: [[Float]] = []

    let name: String

    /// Makes an element for floats of a rate and a number of channels.
    init(_ effect: EffectChain.Effect, rate: Int, channels: Int) throws(PluginFailure) {
        (name, self.channels) = (effect.element, channels)
        do throws(EffectProblem) { try begin(effect, rate: rate) } catch { throw PluginFailure(error.description) }
    }

    deinit { for instance in instances { segue_effect_free(instance) } }

    private func begin(_ effect: EffectChain.Effect, rate: Int) throws(EffectProblem) {
        let (mask, hertz) = (Speaker.mask(channels: channels), gint(clamping: rate))
        let first = try effect.make()
        defer { segue_unref(first) }
        let feed = segue_effect_feed(first, hertz, gint(clamping: channels), mask)
        guard feed != SEGUE_FEED_REFUSED else {
            throw EffectProblem("it doesn't take \(channels) channels at \(rate) Hz")
        }
        guard feed == SEGUE_FEED_CHANNELS, channels > 1 else {
            let converts: gboolean = feed == SEGUE_FEED_CONVERTED ? 1 : 0
            return try add(segue_effect_new(first, hertz, gint(clamping: channels), mask, converts))
        }
        lines = Array(repeating: [], count: channels)
        for channel in 0..<channels {
            let element = channel == 0 ? first : try effect.make()
            defer { if channel > 0 { segue_unref(element) } }
            try add(segue_effect_new(element, hertz, 1, 0, 0))
        }
    }

    private func add(_ instance: OpaquePointer?) throws(EffectProblem) {
        guard let instance else { throw EffectProblem("it doesn't start") }
        instances.append(instance)
        if let error = segue_effect_error(instance) { throw EffectProblem(String(cString: error)) }
    }

    func process(_ samples: [Float], into output: inout [Float]) throws(PluginFailure) {
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
    ) throws(PluginFailure) {
        guard segue_effect_push(instance, samples, gsize(samples.count)) != 0 else {
            throw PluginFailure(segue_effect_error(instance).map { String(cString: $0) } ?? "it failed")
        }
        var count: gsize = 0
        guard let result = segue_effect_output(instance, &count) else { return }
        output.append(contentsOf: UnsafeBufferPointer(start: result, count: Int(count)))
    }
}

extension EffectChain.Effect {
    /// Makes the element with its values; the reference is the caller's.
    fileprivate func make() throws(EffectProblem) -> UnsafeMutablePointer<GstElement> {
        switch segue_effect_kind(element) {
        case SEGUE_EFFECT_MISSING: throw EffectProblem("GStreamer has no such element; \(cure)")
        case SEGUE_EFFECT_OTHER: throw EffectProblem("it is no filter of sound with one input and one output")
        default: break
        }
        guard let made = segue_effect_make(element) else {
            throw EffectProblem("GStreamer can't load it; \(cure)")
        }
        for setting in settings {
            guard let problem = segue_effect_set(made, setting.property, setting.value) else { continue }
            defer { g_free(problem) }
            segue_unref(made)
            throw EffectProblem(String(cString: problem))
        }
        return made
    }

    /// The packages that may bring it.
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
    /// Makes each element once.
    ///
    /// - Throws: `EffectProblem` for the first one that is missing, is no filter, or can't have a value.
    /// - Isolation: blocks while plug-ins are loaded.
    package func check() throws(EffectProblem) {
        for effect in effects {
            do throws(EffectProblem) { segue_unref(try effect.make()) } catch {
                throw EffectProblem("\(effect.element): \(error)")
            }
        }
    }
}

extension Speaker {
    /// GStreamer's mask of the speakers of a number of channels.
    static func mask(channels: Int) -> guint64 {
        layout(channels: channels).reduce(0) { $0 | 1 << guint64($1.rawValue) }
    }
}
