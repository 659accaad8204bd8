import MusicModel

/// An `audio_output` block as an `[[output]]` section.
struct TranslatedOutput {
    private(set) var section = TOMLSection("[[output]]")
    private(set) var notes: [String] = []
    private let block: MPDSettings.Block
    private let filters: [MPDSettings.Block]
    private let type: String
    private var name: String { block["name"] ?? "output" }
    private let paths: MPDPaths
    private var isTranslated: Set<String> = ["type", "name"]

    /// Translates a block; types that Segue doesn't have become `auto`, and an output without a `mixer_type` has the
    /// inherited one.
    init(_ block: MPDSettings.Block, filters: [MPDSettings.Block] = [], paths: MPDPaths, inherited: String? = nil) {
        (self.block, self.filters, self.paths) = (block, filters, paths)
        type = Self.types[block["type"] ?? ""] ?? "auto"
        section.add("type", TOMLSection.string(type))
        section.add("name", TOMLSection.string(block["name"] ?? "Output"))
        if Self.types[block["type"] ?? ""] == nil {
            note("\(name): MPD's output type \(block["type"] ?? "(none)") becomes the system's sound device")
        }
        if block["type"] == "snapcast" {
            note("\(name): MPD is a Snapcast server itself; run snapserver, and see `snapcast` in Segue's README")
        }
        copyCommon(inherited)
        copyOfType()
        copyFormats()
        copyFilters()
        for parameter in block.parameters where !isTranslated.contains(parameter.name) { omit(parameter) }
    }

    private static let types = [
        "alsa": "alsa", "pulse": "pulse", "pipewire": "pipewire", "jack": "jack", "httpd": "httpd", "shout": "shout",
        "fifo": "fifo", "pipe": "pipe", "recorder": "file", "null": "null", "snapcast": "snapcast",
    ]

    /// A key with a counterpart, and how its value is written.
    private struct Key {
        enum Form { case text, path, flag, number }

        let mpd: String
        let ours: String
        let form: Form

        init(_ form: Form, _ mpd: String, as ours: String? = nil) {
            (self.form, self.mpd, self.ours) = (form, mpd, ours ?? mpd)
        }
    }

    /// The keys of each type; what several types have in common stands in `copyCommon`.
    private static let keys: [String: [Key]] = [
        "alsa": [
            Key(.text, "device"), Key(.text, "mixer_device"), Key(.text, "mixer_control"), Key(.number, "buffer_time"),
            Key(.number, "mixer_index"), Key(.flag, "close_on_pause"), Key(.flag, "dop"),
            Key(.flag, "stop_dsd_silence"), Key(.flag, "thesycon_dsd_workaround"),
        ],
        "pulse": [Key(.text, "server"), Key(.text, "sink", as: "device"), Key(.number, "buffer_time")],
        "pipewire": [Key(.text, "target", as: "device")],
        "jack": [Key(.text, "server_name", as: "server")],
        "httpd": [
            Key(.text, "bind_to_address"), Key(.text, "genre"), Key(.text, "website"), Key(.number, "port"),
            Key(.number, "max_clients"),
        ],
        "shout": [
            Key(.text, "host"), Key(.text, "mount"), Key(.text, "user"), Key(.text, "password"), Key(.text, "genre"),
            Key(.text, "description"), Key(.text, "url", as: "website"), Key(.number, "port"), Key(.flag, "public"),
        ],
        "fifo": [Key(.path, "path"), Key(.flag, "dop")],
        "pipe": [Key(.text, "command"), Key(.flag, "dop")],
        "file": [Key(.path, "path")],
        "null": [Key(.flag, "sync")],
    ]

    private mutating func copy(_ key: Key) {
        guard let value = take(key.mpd) else { return }
        switch key.form {
        case .text: section.add(key.ours, TOMLSection.string(value))
        case .path: section.add(key.ours, TOMLSection.string(paths.written(value)))
        case .flag: section.add(key.ours, TranslatedSettings.flag(value))
        case .number:
            guard let number = Int(value), number >= 0 else { return note("\(key.mpd) is not a number: \(value)") }
            section.add(key.ours, "\(number)")
        }
    }

    private mutating func copyCommon(_ inherited: String?) {
        copy(Key(.flag, "enabled"))
        if ["alsa", "pulse", "pipewire", "jack", "httpd", "shout", "pipe", "auto"].contains(type) {
            copy(Key(.flag, "always_on"))
        }
        if !["jack", "auto", "null"].contains(type) { copy(Key(.text, "format")) }
        copyMixer(inherited)
        if let handler = take("replay_gain_handler") {
            if ["software", "mixer", "none"].contains(handler) {
                section.add("replay_gain_handler", TOMLSection.string(handler))
            } else {
                omit("replay_gain_handler", handler, because: "is not known; ReplayGain is applied in software")
            }
        }
        if type == "httpd" || type == "shout" { copy(Key(.flag, "tags")) }
    }

    private mutating func copyMixer(_ inherited: String?) {
        let isEnabled = take("mixer_enabled").map(TranslatedSettings.isYes) ?? true
        let own = take("mixer_type")
        guard var mixer = own ?? (isEnabled ? inherited : "none") else { return }
        // MPD's mixer of that name changes nothing.
        if mixer == "null" { mixer = "none" }
        guard ["hardware", "software", "none"].contains(mixer) else {
            return omit("mixer_type", mixer, because: "is not known; the volume is set in software")
        }
        if mixer != "hardware" || ["alsa", "pulse", "pipewire"].contains(type) {
            section.add("mixer_type", TOMLSection.string(mixer))
        } else if own != nil {
            // One that all outputs inherit is meant for those that have a mixer.
            omit(
                "mixer_type", mixer,
                because: "has no counterpart: outputs of the type \(type) have no mixer; the volume is set in software")
        }
    }

    /// The formats that a device takes; only ALSA's get DSD as it is.
    private mutating func copyFormats() {
        guard ["alsa", "pulse", "pipewire"].contains(type), let value = take("allowed_formats") else { return }
        let formats = value.split { $0.isWhitespace }.map(String.init)
        let possible = formats.filter { type == "alsa" || !$0.lowercased().contains("dsd") }
        if possible.count < formats.count { note("DSD reaches outputs of the type \(type) as PCM") }
        guard !possible.isEmpty else { return }
        section.add("allowed_formats", "[" + possible.map(TOMLSection.string).joined(separator: ", ") + "]")
    }

    private mutating func copyOfType() {
        for key in Self.keys[type] ?? [] { copy(key) }
        switch type {
        case "alsa": if block["dop"] == nil { copy(Key(.flag, "dsd_usb", as: "dop")) }
        case "jack": copyPorts()
        case "shout": copyEncryption()
        case "file": copyFormatPath()
        default: break
        }
        if ["httpd", "shout", "file"].contains(type) { copyEncoder() }
    }

    /// The path of each title, which means the same here; where it can't, that is told.
    private mutating func copyFormatPath() {
        guard let value = take("format_path") else { return }
        let format = TranslatedFormatPath(value, paths: paths)
        section.add("format_path", TOMLSection.string(format.text))
        if format.isMended { note("\(name): a bracket of format_path has no counterpart; it is \(format.text) here") }
        if format.namesUnknown {
            note(
                "\(name): a tag of format_path that a title lacks is \"Unknown\" in its name, unless it is in brackets")
        }
    }

    private mutating func copyEncryption() {
        guard var tls = take("tls") else { return }
        if tls == "rfc2817" {
            // Upgrades a plain connection, which Segue does in this mode as far as the server can.
            tls = "auto_no_plain"
            note("tls \"rfc2817\" becomes auto_no_plain: nothing is sent unencrypted")
        }
        guard ["disabled", "auto", "auto_no_plain", "rfc2818"].contains(tls) else {
            return note("tls \"\(tls)\" is not known")
        }
        section.add("tls", TOMLSection.string(tls))
    }

    /// JACK's ports by their names, as the pattern that `device` is.
    private mutating func copyPorts() {
        guard let value = take("destination_ports") else { return }
        let names = value.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        let patterns = names.map { name in
            name.map { "\\.^$|()[]{}*+?".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        }
        if !patterns.isEmpty {
            section.add("device", TOMLSection.string("^(" + patterns.joined(separator: "|") + ")$"))
        }
    }

    /// A map has the source of each channel, -1 for none; a route says the same in pairs.
    private mutating func copyMap() {
        guard let map = take("channel_map") else { return }
        let sources = map.split(separator: ",", omittingEmptySubsequences: false)
            .map { Int($0.filter { !$0.isWhitespace }) }
        guard (1...8).contains(sources.count), sources.allSatisfy({ $0.map((-1...7).contains) == true }) else {
            return note("the channel_map \(map) can't be understood")
        }
        let pairs = sources.enumerated().compactMap { target, source in
            source.flatMap { $0 < 0 ? nil : "\($0)>\(target)" }
        }
        if !pairs.isEmpty { section.add("route", TOMLSection.string(pairs.joined(separator: ", "))) }
    }

    /// Takes over the first route and the graphs of the filters that the output names; the others have no counterpart.
    private mutating func copyFilters() {
        guard let names = take("filters") else { return copyMap() }
        var hasRoute = false
        var graphs: [String] = []
        for name in names.split(separator: ",").map({ $0.filter { !$0.isWhitespace } }) {
            let filter = filters.first { $0["name"] == name }
            if let filter, filter["plugin"] == "route", !hasRoute {
                hasRoute = true
                copyRoute(filter, name)
            } else if let filter, filter["plugin"] == "ffmpeg", let graph = filter["graph"] {
                graphs.append(graph)
            } else {
                note("\(self.name): the filter \(name) has no counterpart")
            }
        }
        copyGraphs(graphs)
    }

    private mutating func copyRoute(_ filter: MPDSettings.Block, _ name: String) {
        if let route = Self.route(filter["routes"] ?? "0>0, 1>1") {
            section.add("route", TOMLSection.string(route))
        } else {
            note("\(filter.place): the routes of \(name) can't be understood")
        }
    }

    /// Graphs follow each other with a comma, unless one has labels or further chains.
    private mutating func copyGraphs(_ graphs: [String]) {
        guard let first = graphs.first else { return }
        guard graphs.count == 1 || !graphs.contains(where: { $0.contains { "[];".contains($0) } }) else {
            section.add("graph", TOMLSection.string(first))
            return note("\(name): only the first of several labelled graphs is imported")
        }
        section.add("graph", TOMLSection.string(graphs.joined(separator: ", ")))
    }

    /// A route in the order of its channels. Of several sources of one channel MPD takes the last one, where Segue
    /// would mix them.
    private static func route(_ text: String) -> String? {
        var sources: [Int: Int] = [:]
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = pair.split(separator: ">", omittingEmptySubsequences: false)
                .map { Int($0.filter { !$0.isWhitespace }) }
            guard ends.count == 2, let source = ends[0], let target = ends[1], (0..<8).contains(source),
                (0..<8).contains(target)
            else { return nil }
            sources[target] = source
        }
        return sources.sorted { $0.key < $1.key }.map { "\($0.value)>\($0.key)" }.joined(separator: ", ")
    }

    /// MPD encodes as Vorbis where nothing else is said, and Segue as it is best for the type.
    private mutating func copyEncoder() {
        let name = take("encoder") ?? (type == "shout" ? take("encoding") : nil) ?? "vorbis"
        if Self.encoder(name) == nil { omit("encoder", name, because: "is not known; it is flac here") }
        section.add("encoder", TOMLSection.string(Self.encoder(name) ?? "flac"))
        copy(Key(.number, "bitrate"))
        if block["bitrate"] == nil, let quality = take("quality"), let number = Double(quality), number.isFinite {
            section.add("quality", "\(number.clamped(to: -1...10))")
        }
    }

    /// The encoder of ours that is closest to one of MPD's; nil for a name that isn't known.
    private static func encoder(_ name: String) -> String? {
        switch name {
        case "lame", "twolame", "shine", "mp3": "mp3"
        case "vorbis", "ogg": "vorbis"
        case "opus", "flac", "wave": name
        default: nil
        }
    }

    private mutating func omit(_ parameter: MPDSettings.Parameter) {
        section.comment(
            "\(parameter.name) \"\(parameter.name == "password" ? "…" : parameter.value)\" has no counterpart")
        note("\(name): \(parameter.name) has no counterpart")
    }

    private mutating func omit(_ name: String, _ value: String, because reason: String) {
        section.comment("\(name) \"\(value)\" \(reason)")
        note("\(self.name): \(name) \"\(value)\" \(reason)")
    }

    private mutating func take(_ name: String) -> String? {
        isTranslated.insert(name)
        return block[name]
    }

    private mutating func note(_ sentence: String) { notes.append(sentence) }
}

/// A recorder's `format_path` as Segue reads it.
///
/// The syntax is the same but for percent signs that name no tag, which MPD writes as they are and Segue may take for
/// a time, and for brackets without a counterpart, which Segue refuses.
/// - Source: MPD v0.24.13 src/util/format.c.
struct TranslatedFormatPath {
    private(set) var text = ""
    private(set) var isMended = false
    /// True if a tag stands outside all groups, where Segue writes `Unknown` for a missing one.
    private(set) var namesUnknown = false
    private var depth = 0
    private var rest: Substring.UnicodeScalarView

    /// Translates a format; its paths begin as `paths` says.
    init(_ format: String, paths: MPDPaths) {
        rest = format[...].unicodeScalars
        // MPD expands what a format results in, so that each alternative may begin with a folder of the user's.
        var isBeginning = true
        while let scalar = rest.first {
            if isBeginning, scalar == "~" || scalar == "$" {
                let beginning = rest.prefix { !"/[]|&#%\\".unicodeScalars.contains($0) }
                rest = rest[beginning.endIndex...]
                text += paths.written(String(String.UnicodeScalarView(beginning)))
                isBeginning = false
                continue
            }
            rest.removeFirst()
            isBeginning = scalar == "|" || scalar == "[" && isBeginning
            guard copy(scalar) else { break }
        }
        if depth > 0 { (text, isMended) = (text + String(repeating: "]", count: depth), true) }
    }

    /// Copies a sign and what belongs to it; false where the format ends for MPD.
    private mutating func copy(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "[": depth += 1
        case "]":
            guard depth > 0 else {
                isMended = true
                return false
            }
            depth -= 1
        case "#", "\\":
            text.unicodeScalars.append(scalar)
            // A backslash means something only before brackets and letters.
            guard let next = rest.first, scalar == "#" || next == "[" || next == "]" else { return true }
            rest.removeFirst()
            text.unicodeScalars.append(next)
            return true
        case "%":
            copyVariable()
            return true
        default: break
        }
        text.unicodeScalars.append(scalar)
        return true
    }

    private mutating func copyVariable() {
        let name = rest.prefix { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_") }
        rest = rest[name.endIndex...]
        let isClosed = rest.first == "%"
        if isClosed { rest.removeFirst() }
        let tag = String(name).lowercased()
        let isTag = Tag.allCases.contains { "\($0.wireName)".lowercased() == tag }
        let isKnown = isClosed && (isTag || name.elementsEqual("iso8601".unicodeScalars))
        let sign = isKnown ? "%" : "#%"
        text += sign + String(String.UnicodeScalarView(name)) + (isClosed ? sign : "")
        if isKnown, isTag, depth == 0 { namesUnknown = true }
    }
}
