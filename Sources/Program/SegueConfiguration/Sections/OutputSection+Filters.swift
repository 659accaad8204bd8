import Foundation
import MusicModel
import Outputs

extension ConfigurationReader {
    func readEqualizers(_ sections: [SectionReader]) -> [String: EqualizerCurve] {
        readNamed(sections, "Headphones", reserved: ["off"]) { section -> EqualizerCurve? in
            let file = section.value("file", .path("a file's path", home: directories.home))
            let filters = section.value("filters", .text("filters such as \"PK 105 -2.5 1.41; HSC 10000 3 0.7\""))
            guard (file == nil) != (filters == nil) else {
                section.complain("filters", "an equalizer has either filters or a file with them")
                return nil
            }
            do throws(SettingProblem) {
                let text = if let file { try Self.text(of: file) } else { filters ?? "" }
                return try EqualizerCurve(text)
            } catch {
                section.complain(filters == nil ? "file" : "filters", error.description)
                return nil
            }
        }
    }

    func readImpulseResponses(_ sections: [SectionReader]) -> [String: String] {
        readNamed(sections, "Living room", reserved: ["0", "1", "on", "off"]) { section in
            section.required(
                "file", .path("a sound file's path", home: directories.home), example: "file = \"~/room.wav\"")
        }
    }

    /// Reads the `[[effects]]` sections, by name: GStreamer's elements, with LADSPA's and LV2's plug-ins.
    func readEffects(_ sections: [SectionReader]) -> [String: EffectChain] {
        readPlugins(sections, "elements", "freeverb room-size=0.3") { text throws(SettingProblem) in
            try EffectChain(text)
        }
    }

    /// Reads the `[[graph]]` sections, by name: FFmpeg's graphs of filters.
    func readGraphs(_ sections: [SectionReader]) -> [String: FilterGraph] {
        readPlugins(sections, "filters", "acompressor=ratio=4") { text throws(SettingProblem) in
            try FilterGraph(trusted: text)
        }
    }

    private func readPlugins<Value>(
        _ sections: [SectionReader], _ key: String, _ example: String,
        _ make: (String) throws(SettingProblem) -> Value
    ) -> [String: Value] {
        readNamed(sections, "Evening", reserved: ["on", "off"]) { section -> Value? in
            let text = section.required(key, .text("what the sound passes"), example: "\(key) = \"\(example)\"")
            guard let text else { return nil }
            do throws(SettingProblem) { return try make(text) } catch {
                section.complain(key, error.description)
                return nil
            }
        }
    }

    /// Reads sections that outputs name; some names have another meaning there.
    private func readNamed<Value>(
        _ sections: [SectionReader], _ example: String, reserved: Set<String>,
        _ read: (inout SectionReader) -> Value?
    ) -> [String: Value] {
        var values: [String: Value] = [:]
        for var section in sections {
            let name = section.required("name", .text("a name"), example: "name = \"\(example)\"")
            let value = read(&section)
            section.finish()
            guard let name, let value else { continue }
            if reserved.contains(name) || values[name] != nil {
                section.complain("name", "\"\(name)\" has another meaning already; choose another name")
            }
            values[name] = value
        }
        return values
    }

    private static func text(of file: String) throws(SettingProblem) -> String {
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw SettingProblem("\(file) can't be read")
        }
        // Longer ones are no equalizers, and are refused by their length.
        guard let bytes = try? handle.read(upToCount: 65_537), let text = String(data: bytes, encoding: .utf8) else {
            throw SettingProblem("\(file) is not a text file")
        }
        return text
    }

    func readFilters(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        if let name = section.value("equalizer", .text("an equalizer's name")),
            output.filters.set("equalizer", to: name, presets: output.presets) != true
        {
            section.complain("equalizer", "\"\(name)\" is neither an [[equalizer]] of this file nor filters")
        }
        section.read("mono", .flag, into: &output.filters.isMono)
        section.read("balance", .integer(-100...100), into: &output.filters.balance)
        section.read("delay", .integer(0...FilterSettings.maxDelay, unit: "milliseconds"), into: &output.filters.delay)
        section.read("crossfeed", .flag, into: &output.filters.hasCrossfeed)
        section.read("levelling", .flag, into: &output.filters.isLevelled)
        let named = output.presets.impulseResponses
        if let found = section.value("impulse_response", .impulseResponse(named, home: directories.home)) {
            output.filters.impulseResponse = found.path
            output.filters.impulseResponseName = found.name
        }
        readPlugins(&section, &output)
    }

    /// Reads which effects and graphs an output begins with: by name, or as they are, which clients call `on`.
    private func readPlugins(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        readPlugin("effects", "elements such as \"freeverb room-size=0.3\"", &section, &output) {
            presets, text throws(SettingProblem) in
            if presets.effects[text] == nil { presets.effects["on"] = try EffectChain(text) }
        }
        readPlugin("graph", "filters such as \"acompressor=ratio=4\"", &section, &output) {
            presets, text throws(SettingProblem) in
            if presets.graphs[text] == nil { presets.graphs["on"] = try FilterGraph(trusted: text) }
        }
    }

    private func readPlugin(
        _ key: String, _ expected: String, _ section: inout SectionReader, _ output: inout OutputSpecification,
        _ keep: (inout FilterPresets, String) throws(SettingProblem) -> Void
    ) {
        guard let text = section.value(key, .text(expected)), !FilterSettings.isOff(text) else { return }
        do throws(SettingProblem) {
            try keep(&output.presets, text)
            _ = output.filters.set(key, to: text, presets: output.presets)
        } catch { section.complain(key, error.description) }
    }

    func readRoute(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        section.read("route", .route, into: &output.route)
        guard let route = output.route, let channels = output.format?.channels, channels > 0 else { return }
        if route.targets > channels {
            section.complain(
                "route", "names channel \(route.targets - 1), but the format has \(channels); they count from 0")
        }
    }
}

extension ValueKind where Value == (path: String, name: String?) {
    /// The name of an impulse response, or the path of one.
    fileprivate static func impulseResponse(_ named: [String: String], home: String?) -> ValueKind {
        ValueKind(expected: "a sound file's path, or the name of an [[impulse_response]]") {
            node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            if let path = named[text] { return (path, text) }
            let path = try AbsolutePath.expand(text, home: home)
            return (path, nil)
        }
    }
}

extension ValueKind where Value == ChannelRoute {
    fileprivate static var route: ValueKind {
        ValueKind(expected: "pairs of channels such as \"0>0, 1>1, 0>2, 1>3\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            do throws(ChannelRouteProblem) { return try ChannelRoute(text) } catch {
                throw ValueComplaint(error.description)
            }
        }
    }
}
