import MusicModel

/// An `audio_output` block as an `[[output]]` section.
struct TranslatedOutput {
    private(set) var section = TOMLSection("[[output]]")
    private(set) var notes: [String] = []
    private let block: MPDSettings.Block
    private let filters: [MPDSettings.Block]
    private let type: String
    private let paths: MPDPaths
    private var isTranslated: Set<String> = ["type", "name"]

    /// Translates a block; types that Segue doesn't have become `auto`.
    ///
    /// - Parameters:
    ///   - filters: the `filter` blocks, which it may name.
    ///   - paths: the meaning of `~` and variables.
    ///   - inherited: the `mixer_type` of all outputs that name none.
    init(_ block: MPDSettings.Block, filters: [MPDSettings.Block] = [], paths: MPDPaths, inherited: String? = nil) {
        (self.block, self.filters, self.paths) = (block, filters, paths)
        type = Self.types[block["type"] ?? ""] ?? "auto"
        let name = block["name"] ?? "Output"
        section.add("type", TOMLSection.string(type))
        section.add("name", TOMLSection.string(name))
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

    /// The keys of each type: MPD's name, ours.
    private static let keys: [String: [(mpd: String, ours: String)]] = [
        "alsa": [("device", "device"), ("mixer_device", "mixer_device"), ("mixer_control", "mixer_control")],
        "pulse": [("server", "server"), ("sink", "device")],
        "pipewire": [("target", "device")],
        "jack": [("server_name", "server")],
        "httpd": [
            ("bind_to_address", "bind_to_address"), ("genre", "genre"), ("website", "website"),
        ],
        "shout": [
            ("host", "host"), ("mount", "mount"), ("user", "user"), ("password", "password"),
            ("genre", "genre"), ("description", "description"), ("url", "website"),
        ],
        "fifo": [("path", "path")],
        "pipe": [("command", "command")],
        "file": [("path", "path")],
    ]

    private mutating func copyCommon(_ inherited: String?) {
        copySwitch("enabled", as: "enabled")
        if ["alsa", "pulse", "pipewire", "jack", "httpd", "shout", "pipe", "auto"].contains(type) {
            copySwitch("always_on", as: "always_on")
        }
        if !["jack", "auto", "null"].contains(type), let format = take("format") {
            section.add("format", TOMLSection.string(format))
        }
        copyMixer(inherited)
        if let handler = take("replay_gain_handler") {
            if ["software", "mixer", "none"].contains(handler) {
                section.add("replay_gain_handler", TOMLSection.string(handler))
            } else {
                omit("replay_gain_handler", handler, because: "is not known; ReplayGain is applied in software")
            }
        }
        if type == "httpd" || type == "shout" { copySwitch("tags", as: "tags") }
    }

    private mutating func copyMixer(_ inherited: String?) {
        let isEnabled = take("mixer_enabled").map(SettingsTranslation.isYes) ?? true
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
        for (mpd, ours) in Self.keys[type] ?? [] {
            guard let value = take(mpd) else { continue }
            section.add(ours, TOMLSection.string(ours.hasSuffix("path") ? paths.written(value) : value))
        }
        switch type {
        case "alsa":
            copyNumber("buffer_time", as: "buffer_time")
            copyNumber("mixer_index", as: "mixer_index")
            for name in ["close_on_pause", "dop", "stop_dsd_silence", "thesycon_dsd_workaround"] {
                copySwitch(name, as: name)
            }
            if block["dop"] == nil { copySwitch("dsd_usb", as: "dop") }
        case "fifo", "pipe": copySwitch("dop", as: "dop")
        case "jack": copyPorts()
        case "pulse": copyNumber("buffer_time", as: "buffer_time")
        case "httpd":
            copyNumber("port", as: "port")
            copyNumber("max_clients", as: "max_clients")
            copyEncoder()
        case "shout":
            copyNumber("port", as: "port")
            copySwitch("public", as: "public")
            copyEncryption()
            copyEncoder()
        case "file":
            copyFormatPath()
            copyEncoder()
        case "null": copySwitch("sync", as: "sync")
        default: break
        }
    }

    /// The path of each title, which means the same here; where it can't, that is told.
    private mutating func copyFormatPath() {
        guard let value = take("format_path") else { return }
        let format = TranslatedFormatPath(value, paths: paths)
        section.add("format_path", TOMLSection.string(format.text))
        let name = block["name"] ?? "output"
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
                note("\(block["name"] ?? "output"): the filter \(name) has no counterpart")
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
            return note("\(block["name"] ?? "output"): only the first of several labelled graphs is imported")
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
        copyNumber("bitrate", as: "bitrate")
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
        note("\(block["name"] ?? "output"): \(parameter.name) has no counterpart")
    }

    /// Leaves a value out that Segue's key doesn't have.
    private mutating func omit(_ name: String, _ value: String, because reason: String) {
        section.comment("\(name) \"\(value)\" \(reason)")
        note("\(block["name"] ?? "output"): \(name) \"\(value)\" \(reason)")
    }

    private mutating func take(_ name: String) -> String? {
        isTranslated.insert(name)
        return block[name]
    }

    private mutating func copySwitch(_ name: String, as key: String) {
        if let value = take(name) { section.add(key, "\(SettingsTranslation.isYes(value))") }
    }

    private mutating func copyNumber(_ name: String, as key: String) {
        guard let value = take(name) else { return }
        if let number = Int(value), number >= 0 {
            section.add(key, "\(number)")
        } else {
            note("\(name) is not a number: \(value)")
        }
    }

    private mutating func note(_ sentence: String) { notes.append(sentence) }
}
