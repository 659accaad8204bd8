import Outputs

/// Filters of others: GStreamer's elements, with LADSPA's and LV2's plug-ins, and FFmpeg's graphs.
extension ConfigurationReader {
    /// Reads the `[[effects]]` sections, by name.
    func readEffects(_ sections: [SectionReader]) -> [String: EffectChain] {
        readNamed(sections, "elements", "freeverb room-size=0.3") { text throws(SettingProblem) in
            try EffectChain(text)
        }
    }

    /// Reads the `[[graph]]` sections, by name.
    func readGraphs(_ sections: [SectionReader]) -> [String: FilterGraph] {
        readNamed(sections, "filters", "acompressor=ratio=4") { text throws(SettingProblem) in
            try FilterGraph(trusted: text)
        }
    }

    private func readNamed<Value>(
        _ sections: [SectionReader], _ key: String, _ example: String,
        _ make: (String) throws(SettingProblem) -> Value
    ) -> [String: Value] {
        var values: [String: Value] = [:]
        for section in sections {
            var section = section
            let name = section.required("name", .text("a name"), example: "name = \"Evening\"")
            let text = section.required(
                key, .text("what the sound passes"), example: "\(key) = \"\(example)\"")
            section.finish()
            guard let name, let text else { continue }
            if ["on", "off"].contains(name) || values[name] != nil {
                section.complain("name", "\"\(name)\" has another meaning already; choose another name")
            }
            do throws(SettingProblem) { values[name] = try make(text) } catch {
                section.complain(key, error.description)
            }
        }
        return values
    }

    /// Reads which of them an output begins with: by name, or as they are. Clients come back to the latter by `on`.
    func readPlugins(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        if let text = section.value("effects", .text("elements such as \"freeverb room-size=0.3\"")),
            !FilterSettings.isOff(text)
        {
            do throws(SettingProblem) {
                if output.presets.effects[text] == nil { output.presets.effects["on"] = try EffectChain(text) }
                _ = output.filters.set("effects", to: text, presets: output.presets)
            } catch { section.complain("effects", error.description) }
        }
        if let text = section.value("graph", .text("filters such as \"acompressor=ratio=4\"")),
            !FilterSettings.isOff(text)
        {
            do throws(SettingProblem) {
                if output.presets.graphs[text] == nil { output.presets.graphs["on"] = try FilterGraph(trusted: text) }
                _ = output.filters.set("graph", to: text, presets: output.presets)
            } catch { section.complain("graph", error.description) }
        }
    }
}
