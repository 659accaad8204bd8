/// The filters of an output's sound on its way.
package struct FilterSettings: Hashable, Sendable {
    /// The equalizer; nil is none.
    package var equalizer: EqualizerCurve?
    /// The equalizer as clients see it: a preset's name, or its filters.
    package var equalizerName: String?
    /// True if all channels get the same.
    package var isMono = false
    /// -100 is the left channel alone, 100 the right one.
    package var balance = 0
    /// How much later it sounds, in milliseconds.
    package var delay = 0
    /// True if each ear hears a little of the other channel, as it does with loudspeakers; for headphones.
    package var hasCrossfeed = false
    /// True if soft passages are made louder and loud ones softer.
    package var isLevelled = false
    /// Absolute path of the impulse response of a room's correction; nil where there is none.
    package var impulseResponse: String?
    /// The name by which clients or the configuration chose it; nil where it is a path.
    package var impulseResponseName: String?
    /// True if that is applied.
    package var isConvolved = true
    /// Elements of GStreamer that the sound passes behind all of these; nil is none.
    package var effects: EffectChain?
    /// The effects as clients see them: a preset's name, or the elements.
    package var effectsName: String?
    /// A graph of FFmpeg that the sound passes last; nil is none.
    package var graph: FilterGraph?
    /// The graph as clients see it: a preset's name, or the filters.
    package var graphName: String?

    /// Changes nothing.
    package init() {}

    /// The longest delay, in milliseconds.
    package static let maxDelay = 2000

    /// True if nothing is to be done.
    package var isPlain: Bool {
        equalizer == nil && !isMono && balance == 0 && delay == 0 && !hasCrossfeed && !isLevelled && !convolves
            && effects == nil && graph == nil
    }

    /// True if there is an impulse response to apply.
    package var convolves: Bool { impulseResponse != nil && isConvolved }
}

/// The attributes by which clients set them.
extension FilterSettings {
    /// All of them with their values.
    package func attributes(_ presets: FilterPresets = FilterPresets()) -> [String: String] {
        var shown = [
            "equalizer": equalizer == nil ? "off" : equalizerName ?? "on", "mono": isMono ? "1" : "0",
            "balance": String(balance), "delay": String(delay), "crossfeed": hasCrossfeed ? "1" : "0",
            "levelling": isLevelled ? "1" : "0",
            "effects": effects == nil ? "off" : effectsName ?? effects?.text ?? "off",
            "graph": graph == nil ? "off" : graphName ?? graph?.text ?? "off",
        ]
        if impulseResponse != nil || !presets.impulseResponses.isEmpty {
            shown["convolution"] = convolves ? impulseResponseName ?? "1" : "0"
        }
        return shown
    }

    /// Sets one; nil where there is none of that name, false where the value is none of its.
    package mutating func set(
        _ attribute: String, to value: String, presets: FilterPresets = FilterPresets()
    ) -> Bool? {
        switch attribute {
        case "equalizer": return setEqualizer(value, presets.equalizers)
        case "mono": return Self.set(&isMono, value)
        case "crossfeed": return Self.set(&hasCrossfeed, value)
        case "levelling": return Self.set(&isLevelled, value)
        case "convolution": return setConvolution(value, presets.impulseResponses)
        case "balance": return Self.set(&balance, value, -100...100)
        case "delay": return Self.set(&delay, value, 0...Self.maxDelay)
        case "effects": return Self.choose(value, &effects, &effectsName) { try? presets.effects(value) }
        case "graph": return Self.choose(value, &graph, &graphName) { try? presets.graph(value) }
        default: return nil
        }
    }

    private mutating func setEqualizer(_ value: String, _ presets: [String: EqualizerCurve]) -> Bool {
        Self.choose(value, &equalizer, &equalizerName) {
            guard value.utf8.count <= 4096, !value.contains(where: \.isNewline) else { return nil }
            return presets[value] ?? (try? EqualizerCurve(value))
        }
    }

    private static func choose<Filter>(
        _ value: String, _ filter: inout Filter?, _ name: inout String?, _ meaning: () -> Filter?
    ) -> Bool {
        guard !isOff(value) else {
            (filter, name) = (nil, nil)
            return true
        }
        guard let found = meaning() else { return false }
        (filter, name) = (found, value)
        return true
    }

    /// True if a value takes an equalizer, effects or a graph away.
    package static func isOff(_ value: String) -> Bool { value == "off" || value.isEmpty }

    private mutating func setConvolution(_ value: String, _ presets: [String: String]) -> Bool? {
        guard impulseResponse != nil || !presets.isEmpty else { return nil }
        if let path = presets[value] {
            (impulseResponse, impulseResponseName, isConvolved) = (path, value, true)
            return true
        }
        // Without any there is only its absence to choose.
        return impulseResponse != nil || value == "0" || value == "off" ? Self.set(&isConvolved, value) : false
    }

    private static func set(_ flag: inout Bool, _ value: String) -> Bool {
        guard let on = ["1": true, "0": false, "on": true, "off": false][value] else { return false }
        flag = on
        return true
    }

    private static func set(_ number: inout Int, _ value: String, _ range: ClosedRange<Int>) -> Bool {
        guard let wanted = Int(value), range.contains(wanted) else { return false }
        number = wanted
        return true
    }
}
