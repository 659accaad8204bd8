import MusicModel
import Outputs

extension ConfigurationReader {
    /// Reads the `[[output]]` sections; without any there is one that finds the sound device by itself.
    func readOutputs(
        _ sections: [SectionReader], equalizers: [String: EqualizerCurve]
    ) -> [OutputSpecification] {
        guard !sections.isEmpty else { return [.standard] }
        var names: Set<String> = []
        return sections.compactMap { section in
            guard let output = readOutput(section, equalizers) else { return nil }
            if !names.insert(output.name).inserted {
                section.complain("name", "\"\(output.name)\" is the name of another output too; give each its own")
            }
            return output
        }
    }

    private func readOutput(_ section: SectionReader, _ equalizers: [String: EqualizerCurve]) -> OutputSpecification? {
        var section = section
        // Without its type nothing can be said about the other keys.
        guard let type = section.required("type", .outputKind, example: "type = \"auto\"") else { return nil }
        var output = OutputSpecification(type: type, name: section.value("name", .text("a name")) ?? type.rawValue)
        output.isEnabled = section.value("enabled", .flag) ?? true
        readMixer(&section, &output)
        output.equalizers = equalizers
        readFilters(&section, &output)
        if type.keys.contains("device") { output.device = section.value("device", .text("a device's name")) }
        if type.keys.contains("format") { output.format = section.value("format", .pcmFormat) }
        if type.keys.contains("sync") { output.sync = section.value("sync", .flag) ?? true }
        if type.keys.contains("server") { output.server = section.value("server", .text("a sound server's name")) }
        if type.keys.contains("buffer_time") {
            output.bufferMicroseconds = section.value("buffer_time", .integer(20_000...5_000_000, unit: "microseconds"))
        }
        readPath(&section, &output)
        if type.keys.contains("allowed_formats") {
            output.allowed.formats = section.value("allowed_formats", .pcmFormats) ?? []
            output.allowed.highestRate = section.value("max_rate", .integer(8_000...384_000, unit: "Hz"))
        }
        if type.keys.contains("close_on_pause") {
            output.closesPausedAfter = section.value("close_on_pause", .pauseLimit) ?? output.closesPausedAfter
        }
        if type.keys.contains("realtime") { output.isRealtime = section.value("realtime", .flag) ?? true }
        if type.keys.contains("command") {
            output.command = section.required(
                "command", .text("a shell's command"), example: "command = \"aplay -f cd\"")
        }
        if type.keys.contains("always_on") { output.isAlwaysOn = section.value("always_on", .flag) ?? false }
        if type.keys.contains("tags") { output.sendsTitles = section.value("tags", .flag) ?? true }
        if type.keys.contains("encoder") { readEncoder(&section, &output) }
        readOwnSettings(&section, &output)
        complainAboutForeignKeys(&section, type)
        complainAboutKeysOfMPD(&section, type)
        section.finish()
        return output
    }

    /// Reads what only this type has; what several have is read where its key is in the table below.
    private func readOwnSettings(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        switch output.type {
        case .snapcast: output.snapcast = readSnapcast(&section)
        case .httpd: output.httpd = readHTTP(&section)
        case .shout: output.shout = readIcecast(&section, name: output.name)
        case .auto, .alsa, .pulse, .pipewire, .jack, .fifo, .pipe, .file, .null: break
        }
    }

    private func readMixer(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        output.mixerType = section.value("mixer_type", .mixerType) ?? .software
        if output.mixerType == .hardware, !output.type.hasHardwareMixer {
            section.complain(
                "mixer_type", "\"hardware\" is only for alsa, pulse and pipewire; write \"software\" or \"none\"")
        }
        output.replayGainHandler = section.value("replay_gain_handler", .choice) ?? .software
        if output.replayGainHandler == .mixer, output.mixerType != .hardware {
            section.complain(
                "replay_gain_handler", "\"mixer\" needs mixer_type = \"hardware\"; else write \"software\"")
        }
        guard output.type.keys.contains("mixer_control") else { return }
        output.mixer.device = section.value("mixer_device", .text("a mixer's device")) ?? output.mixer.device
        output.mixer.control = section.value("mixer_control", .text("a control's name")) ?? output.mixer.control
        output.mixer.index =
            section.value("mixer_index", .integer(0...255, unit: "controls")) ?? output.mixer.index
    }

    private func readPath(_ section: inout SectionReader, _ output: inout OutputSpecification) {
        guard output.type.keys.contains("path") else { return }
        let kind = ValueKind.path("a file's path", home: directories.home)
        if output.type == .file { output.titledPath = section.value("format_path", kind) }
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
        let quality = section.value("quality", .quality)
        if encoder != nil || bitRate != nil || quality != nil {
            let usual = StreamEncoding.usual(for: output.type, path: output.path)
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
            section.complain(
                key, "does nothing for type \"\(type.rawValue)\"; only \(owners.joined(separator: ", ")) use it")
        }
    }
}

extension OutputSpecification {
    /// What plays when no output is configured.
    static let standard = OutputSpecification(type: .auto, name: "Default")
}

extension OutputSpecification.Kind {
    /// The keys of this type beside those that all types have.
    var keys: Set<String> {
        switch self {
        case .auto: ["always_on"]
        case .alsa:
            [
                "device", "format", "allowed_formats", "max_rate", "always_on", "close_on_pause", "realtime",
                "buffer_time",
                "mixer_device", "mixer_control", "mixer_index",
            ]
        case .pulse: ["device", "format", "allowed_formats", "max_rate", "always_on", "buffer_time", "server"]
        case .pipewire: ["device", "format", "allowed_formats", "max_rate", "always_on"]
        case .jack: ["device", "always_on", "server"]
        case .fifo: ["path", "format"]
        case .pipe: ["command", "format", "always_on"]
        case .snapcast: ["path", "host", "port", "format", "control", "control_port", "rooms", "stream"]
        case .httpd:
            [
                "port", "bind_to_address", "format", "encoder", "bitrate", "quality", "max_clients",
                "max_clients_per_address", "allow_origin", "genre", "website", "always_on", "tags",
            ]
        case .shout:
            [
                "host", "port", "mount", "user", "password", "password_file", "format", "encoder", "bitrate", "quality",
                "genre", "website", "description", "public", "always_on", "tags", "tls", "tls_certificate",
            ]
        case .file: ["path", "format_path", "format", "encoder", "bitrate", "quality"]
        case .null: ["sync"]
        }
    }
}

extension ValueKind where Value == OutputSpecification.Kind {
    /// A type of output that this version has.
    fileprivate static var outputKind: ValueKind {
        let words = Value.allCases.map(\.rawValue)
        return ValueKind(expected: words.asQuotedList) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            if let kind = Value(rawValue: text) { return kind }
            if text == "recorder" { throw ValueComplaint("what MPD calls \"recorder\" is \"file\" here") }
            throw ValueComplaint(words.complaint(about: text))
        }
    }
}

extension ValueKind where Value == OutputSpecification.MixerType {
    /// A type of mixer that this version has.
    fileprivate static var mixerType: ValueKind {
        let words = Value.allCases.map(\.rawValue)
        return ValueKind(expected: words.asQuotedList) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            if let type = Value(rawValue: text) { return type }
            throw ValueComplaint(words.complaint(about: text))
        }
    }
}

extension ValueKind where Value == Double {
    /// Vorbis' scale.
    fileprivate static var quality: ValueKind {
        ValueKind(expected: "a number from -1 to 10") { node in
            return node.decimal.flatMap { (-1...10).contains($0) ? $0 : nil }
        }
    }
}
