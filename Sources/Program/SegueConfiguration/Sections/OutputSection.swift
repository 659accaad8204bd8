import MusicModel
import Outputs

extension ConfigurationReader {
    /// Reads the `[[output]]` sections; without any there is one that finds the sound device.
    func readOutputs(_ sections: [SectionReader], presets: FilterPresets) -> [OutputSpecification] {
        guard !sections.isEmpty else { return [.standard] }
        var names: Set<String> = []
        return sections.compactMap { section in
            guard let output = readOutput(section, presets) else { return nil }
            if !names.insert(output.name).inserted {
                section.complain("name", "\"\(output.name)\" is the name of another output too; give each its own")
            }
            return output
        }
    }

    private func readOutput(_ section: SectionReader, _ presets: FilterPresets) -> OutputSpecification? {
        var section = section
        // Without its type nothing can be said about the other keys.
        let types = ValueKind<OutputSpecification.Kind>.choice(
            orSay: ["recorder": "what MPD calls \"recorder\" is \"file\" here"])
        guard let type = section.required("type", types, example: "type = \"auto\"") else { return nil }
        var output = OutputSpecification(type: type, name: section.value("name", .text("a name")) ?? type.rawValue)
        let keys = type.keys
        section.read("enabled", .flag, into: &output.isEnabled)
        readMixer(&section, &output)
        output.presets = presets
        readFilters(&section, &output)
        if keys.contains("device") { section.read("device", .text("a device's name"), into: &output.device) }
        if keys.contains("format") { section.read("format", .pcmFormat, into: &output.format) }
        readRoute(&section, &output)
        if keys.contains("sync") { section.read("sync", .flag, into: &output.sync) }
        if keys.contains("server") { section.read("server", .text("a sound server's name"), into: &output.server) }
        if keys.contains("buffer_time") {
            section.read(
                "buffer_time", .integer(20_000...5_000_000, unit: "microseconds"), into: &output.bufferMicroseconds)
        }
        readPath(&section, &output)
        readFormats(&section, &output)
        if keys.contains("close_on_pause") {
            section.read("close_on_pause", .pauseLimit, into: &output.closesPausedAfter)
        }
        if keys.contains("realtime") { section.read("realtime", .flag, into: &output.isRealtime) }
        if keys.contains("command") {
            output.command = section.required(
                "command", .text("a shell's command"), example: "command = \"aplay -f cd\"")
        }
        if keys.contains("always_on") { section.read("always_on", .flag, into: &output.isAlwaysOn) }
        if keys.contains("tags") { section.read("tags", .flag, into: &output.sendsTitles) }
        if keys.contains("encoder") { readEncoder(&section, &output) }
        readOwnSettings(&section, &output)
        complainAboutForeignKeys(&section, type)
        complainAboutKeysOfMPD(&section, type)
        section.finish()
        return output
    }

    private func readFormats(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        let keys = output.type.keys
        if keys.contains("allowed_formats") {
            let list = section.value("allowed_formats", .allowedFormats) ?? []
            if let problem = output.complaint(about: list) { section.complain("allowed_formats", problem.description) }
            output.allow(list)
            section.read("max_rate", .integer(8_000...384_000, unit: "Hz"), into: &output.allowed.maxRate)
        }
        if keys.contains("dsd") { section.read("dsd", .flag, into: &output.dsd.isNative) }
        if keys.contains("dop") { section.read("dop", .flag, into: &output.dsd.isDoP) }
        if keys.contains("stop_dsd_silence") {
            section.read("stop_dsd_silence", .flag, into: &output.dsd.stopsWithSilence)
            section.read("thesycon_dsd_workaround", .flag, into: &output.dsd.beginsWithPCM)
        }
    }

    /// Reads what only this type has; what several have is read for every type that has the key.
    private func readOwnSettings(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        guard var settings = output.type.settings?.init() else { return }
        settings.read(from: &section)
        output.own = OwnSettings(settings)
        if output.type == .httpd { section.read("allow_origin", .origin, into: &output.httpd.allowedOrigin) }
        let name = output.name
        if output.type == .shout { readIcecast(&section, &output.shout, name: name) }
    }

    private func readMixer(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        section.read("mixer_type", .choice, into: &output.mixerType)
        if output.mixerType == .hardware, !output.type.hasHardwareMixer {
            section.complain(
                "mixer_type", "\"hardware\" is only for alsa, pulse and pipewire; write \"software\" or \"none\"")
        }
        section.read("replay_gain_handler", .choice, into: &output.replayGainHandler)
        if output.replayGainHandler == .mixer, output.mixerType != .hardware {
            section.complain(
                "replay_gain_handler", "\"mixer\" needs mixer_type = \"hardware\"; else write \"software\"")
        }
        guard output.type.keys.contains("mixer_control") else { return }
        section.read("mixer_device", .text("a mixer's device"), into: &output.mixer.device)
        section.read("mixer_control", .text("a control's name"), into: &output.mixer.control)
        section.read("mixer_index", .integer(0...255, unit: "controls"), into: &output.mixer.index)
    }

    private func readPath(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        guard output.type.keys.contains("path") else { return }
        let kind = ValueKind.path("a file's path", home: directories.home)
        if output.type == .file {
            section.read("format_path", .recordingFormat(home: directories.home), into: &output.titledPath)
        }
        if output.titledPath != nil, section.node("path") != nil {
            section.complain("format_path", "path and format_path can't both be set; remove one")
        }
        // Snapcast is mostly reached over the network.
        output.path =
            output.type == .snapcast || output.titledPath != nil
            ? section.value("path", kind) : section.required("path", kind, example: "path = \"/run/segue/music\"")
    }

    private func readEncoder(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        let encoder: StreamEncoding.Encoder? = section.value("encoder", .choice)
        let bitRate = section.value("bitrate", .integer(6...510, unit: "kbit/s"))
        let quality = section.value("quality", .number(-1...10))
        if encoder != nil || bitRate != nil || quality != nil {
            let usual = StreamEncoding.usual(for: output.type, path: output.path ?? output.titledPath?.ending)
            output.encoding = StreamEncoding(encoder ?? usual.encoder, bitRate: bitRate, quality: quality)
        }
        if section.node("bitrate") != nil, section.node("quality") != nil {
            section.complain("quality", "bitrate and quality can't both be set; remove one")
        }
    }

    /// Says of keys of other types whose they are; they would do nothing here.
    private func complainAboutForeignKeys(_ section: inout SectionReader, _ type: OutputSpecification.Kind) {
        let foreign = Set(OutputSpecification.Kind.allCases.flatMap(\.keys)).subtracting(type.keys)
        for key in foreign.sorted() where section.node(key) != nil {
            let owners = OutputSpecification.Kind.allCases.filter { $0.keys.contains(key) }.map(\.rawValue)
            let use = owners.count == 1 ? "uses" : "use"
            section.complain(
                key, "does nothing for type \"\(type.rawValue)\"; only \(owners.joined(separator: ", ")) \(use) it")
        }
    }
}

extension OutputSpecification {
    /// The output that plays when none is configured.
    static let standard = OutputSpecification(type: .auto, name: "Default")
}
