import MusicModel

/// An `audio_output` block as an `[[output]]` section.
struct TranslatedOutput {
    private(set) var section = TOMLSection("[[output]]")
    private(set) var notes: [String] = []
    private let block: MPDSettings.Block
    private let type: String
    private var isTranslated: Set<String> = ["type", "name"]

    /// Translates a block; types that Segue doesn't have become `auto`.
    init(_ block: MPDSettings.Block) {
        self.block = block
        type = Self.types[block["type"] ?? ""] ?? "auto"
        let name = block["name"] ?? "Output"
        section.add("type", TOMLSection.string(type))
        section.add("name", TOMLSection.string(name))
        if Self.types[block["type"] ?? ""] == nil {
            note("\(name): MPD's output type \(block["type"] ?? "(none)") is played by the system's sound device")
        }
        if block["type"] == "snapcast" {
            note("\(name): MPD is a Snapcast server itself; run snapserver, and see `snapcast` in Segue's README")
        }
        copyCommon()
        copyOfType()
        for parameter in block.parameters where !isTranslated.contains(parameter.name) { leaveOut(parameter) }
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
            ("encoder", "encoder"), ("bind_to_address", "bind_to_address"), ("genre", "genre"), ("website", "website"),
        ],
        "shout": [
            ("encoder", "encoder"), ("host", "host"), ("mount", "mount"), ("user", "user"), ("password", "password"),
            ("genre", "genre"), ("description", "description"), ("url", "website"),
        ],
        "fifo": [("path", "path")],
        "pipe": [("command", "command")],
        "file": [("path", "path"), ("format_path", "format_path"), ("encoder", "encoder")],
    ]

    private mutating func copyCommon() {
        copySwitch("enabled", as: "enabled")
        if ["alsa", "pulse", "pipewire", "jack", "httpd", "shout", "auto"].contains(type) {
            copySwitch("always_on", as: "always_on")
        }
        if let format = take("format") { section.add("format", TOMLSection.string(format)) }
        if let mixer = take("mixer_type") {
            let known = ["hardware", "software", "none"].contains(mixer)
            let isPossible = mixer != "hardware" || ["alsa", "pulse", "pipewire"].contains(type)
            if known, isPossible { section.add("mixer_type", TOMLSection.string(mixer)) }
            if !known { note("mixer_type \"\(mixer)\" is not known; the volume is set in software") }
        }
        if let handler = take("replay_gain_handler"), ["software", "mixer", "none"].contains(handler) {
            section.add("replay_gain_handler", TOMLSection.string(handler))
        }
        if type == "httpd" || type == "shout" { copySwitch("tags", as: "tags") }
    }

    private mutating func copyOfType() {
        for (mpd, ours) in Self.keys[type] ?? [] {
            guard let value = take(mpd) else { continue }
            section.add(ours, TOMLSection.string(ours == "encoder" ? Self.encoder(value) : value))
        }
        switch type {
        case "alsa":
            copyNumber("buffer_time", as: "buffer_time")
            copyNumber("mixer_index", as: "mixer_index")
            copySwitch("close_on_pause", as: "close_on_pause")
        case "pulse": copyNumber("buffer_time", as: "buffer_time")
        case "httpd":
            copyNumber("port", as: "port")
            copyNumber("max_clients", as: "max_clients")
            copyQuality()
        case "shout":
            copyNumber("port", as: "port")
            copySwitch("public", as: "public")
            if let tls = take("tls"), tls != "disabled" { section.add("tls", TOMLSection.string(tls)) }
            copyQuality()
        case "file": copyQuality()
        case "null": copySwitch("sync", as: "sync")
        default: break
        }
    }

    private mutating func copyQuality() {
        copyNumber("bitrate", as: "bitrate")
        if block["bitrate"] == nil, let quality = take("quality"), let number = Double(quality), number.isFinite {
            section.add("quality", "\(number.clamped(to: -1...10))")
        }
    }

    /// MPD's name of an encoder, or the one of ours that is closest.
    private static func encoder(_ name: String) -> String {
        switch name {
        case "lame", "twolame", "shine", "mp3": "mp3"
        case "vorbis", "ogg": "vorbis"
        case "opus", "flac", "wave": name
        default: "flac"
        }
    }

    private mutating func leaveOut(_ parameter: MPDSettings.Parameter) {
        section.comment(
            "\(parameter.name) \"\(parameter.name == "password" ? "…" : parameter.value)\" has no counterpart")
        note("\(block["name"] ?? "output"): \(parameter.name) has no counterpart")
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
            note("\(name) is no number: \(value)")
        }
    }

    private mutating func note(_ sentence: String) { notes.append(sentence) }
}
