extension ConfigurationReader {
    /// Reads the `[[output]]` sections; without any there is one that finds the sound device by itself.
    func readOutputs(_ sections: [SectionReader]) -> [Configuration.Output] {
        guard !sections.isEmpty else { return [.standard] }
        var names: Set<String> = []
        return sections.compactMap { section in
            guard let output = readOutput(section) else { return nil }
            if !names.insert(output.name).inserted {
                section.complain("name", "\"\(output.name)\" is the name of another output too; give each its own")
            }
            return output
        }
    }

    private func readOutput(_ section: SectionReader) -> Configuration.Output? {
        var section = section
        // Without its type nothing can be said about the other keys.
        guard let type = section.required("type", .outputKind, example: "type = \"auto\"") else { return nil }
        var output = Configuration.Output(type: type, name: section.value("name", .text("a name")) ?? type.rawValue)
        output.isEnabled = section.value("enabled", .flag) ?? true
        output.mixerType = section.value("mixer_type", .mixerType) ?? .software
        if type.keys.contains("device") { output.device = section.value("device", .text("a device's name")) }
        if type.keys.contains("format") { output.format = section.value("format", .pcmFormat) }
        if type.keys.contains("sync") { output.sync = section.value("sync", .flag) ?? true }
        if type.keys.contains("path") {
            let kind = ValueKind.path("a file's path", home: directories.home)
            output.path = section.required("path", kind, example: "path = \"/run/segue/music\"")
        }
        if type == .fifo, output.format == nil { output.format = PCMFormat(sampleRate: 44_100, bits: 16, channels: 2) }
        complainAboutForeignKeys(&section, type)
        section.finish()
        return output
    }

    /// Says of keys of other types whose they are; they would do nothing here.
    private func complainAboutForeignKeys(_ section: inout SectionReader, _ type: Configuration.Output.Kind) {
        let foreign = Set(Configuration.Output.Kind.allCases.flatMap(\.keys)).subtracting(type.keys)
        for key in foreign.sorted() where section.node(key) != nil {
            let owners = Configuration.Output.Kind.allCases.filter { $0.keys.contains(key) }.map(\.rawValue)
            section.complain(
                key, "does nothing for type \"\(type.rawValue)\"; only \(owners.joined(separator: ", ")) use it")
        }
    }
}

extension Configuration.Output {
    /// What plays when no output is configured.
    static let standard = Configuration.Output(type: .auto, name: "Default")

    fileprivate init(type: Kind, name: String) {
        self.type = type
        self.name = name
        isEnabled = true
        mixerType = .software
        sync = true
    }
}

extension Configuration.Output.Kind {
    /// The keys of this type beside those that all types have.
    fileprivate var keys: Set<String> {
        switch self {
        case .auto: []
        case .alsa, .pulse, .pipewire: ["device", "format"]
        case .fifo, .file: ["path", "format"]
        case .null: ["sync"]
        }
    }
}

extension ValueKind where Value == Configuration.Output.Kind {
    /// A type of output that this version has.
    fileprivate static var outputKind: ValueKind {
        let words = Value.allCases.map(\.rawValue)
        return ValueKind(expected: words.asQuotedList) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            if let kind = Value(rawValue: text) { return kind }
            if ["jack", "snapcast", "httpd", "shout"].contains(text) {
                throw ValueComplaint(
                    "\"\(text)\" is not available in this version; there are \(words.joined(separator: ", "))")
            }
            throw ValueComplaint(words.complaint(about: text))
        }
    }
}

extension ValueKind where Value == Configuration.Output.MixerType {
    /// A type of mixer that this version has.
    fileprivate static var mixerType: ValueKind {
        let words = Value.allCases.map(\.rawValue)
        return ValueKind(expected: words.asQuotedList) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            if text == "hardware" {
                throw ValueComplaint("\"hardware\" is not available in this version; write \(words.asQuotedList)")
            }
            if let type = Value(rawValue: text) { return type }
            throw ValueComplaint(words.complaint(about: text))
        }
    }
}

extension ValueKind where Value == PCMFormat {
    /// Rate, bits and channels.
    fileprivate static var pcmFormat: ValueKind {
        ValueKind(expected: "rate:bits:channels such as \"44100:16:2\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 3, let rate = parts[0], let bits = parts[1], let channels = parts[2] else {
                return nil
            }
            guard (8_000...384_000).contains(rate), [16, 24, 32].contains(bits), (1...8).contains(channels) else {
                throw ValueComplaint(
                    "\"\(text)\" is out of range: rates are 8000 to 384000, bits 16, 24 or 32, channels 1 to 8")
            }
            return PCMFormat(sampleRate: rate, bits: bits, channels: channels)
        }
    }
}
