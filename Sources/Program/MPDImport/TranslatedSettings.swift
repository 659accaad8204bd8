import MusicModel

/// Segue's configuration as it follows from an `mpd.conf`.
package struct TranslatedSettings: Sendable {
    /// The text of the new file; what has no counterpart stands in it as a comment.
    package var text: String
    /// Settings that have no counterpart, or work differently, each as a sentence with its place.
    package var notes: [String]

    /// Translates settings.
    ///
    /// - Parameters:
    ///   - withoutMusicDirectory: leaves out `[local]`, for those whose library is their Navidrome.
    ///   - hash: makes the `hash` key's value from a client's password.
    /// - Throws: what `hash` throws.
    package init(
        _ settings: MPDSettings, withoutMusicDirectory: Bool = false, hash: @escaping (String) throws -> String
    ) throws {
        var translation = SettingsTranslation(settings, hash: hash)
        try translation.translate(withoutMusicDirectory: withoutMusicDirectory)
        (text, notes) = (translation.text, translation.notes)
    }
}

/// Goes through MPD's settings, and writes Segue's.
struct SettingsTranslation {
    private let settings: MPDSettings
    private let hash: (String) throws -> String
    private var sections: [TOMLSection] = []
    private(set) var notes: [String] = []
    private var comments: [String] = []
    /// The parameters that are dealt with, by name; what is left over in the end has no counterpart.
    private var isTranslated: Set<String> = []

    init(_ settings: MPDSettings, hash: @escaping (String) throws -> String) {
        self.settings = settings
        self.hash = hash
    }

    /// The file's text.
    var text: String {
        var parts = ["# Made from \(settings.parameters.first?.place.file ?? "mpd.conf") by `segue import mpd`."]
        parts += sections.filter { !$0.isEmpty }.map(\.text)
        if !comments.isEmpty {
            parts.append("# What has no counterpart in Segue:\n" + comments.map { "#   \($0)\n" }.joined())
        }
        return parts.joined(separator: "\n\n")
    }

    mutating func translate(withoutMusicDirectory: Bool) throws {
        translateServer()
        try translatePasswords()
        translateFolders(withoutMusicDirectory: withoutMusicDirectory)
        translatePlayback()
        for block in settings.blocks { translate(block) }
        for parameter in settings.parameters where !isTranslated.contains(parameter.name) { explain(parameter) }
        notes += settings.problems
    }

    // MARK: [server]

    private mutating func translateServer() {
        var section = TOMLSection("[server]")
        section.add("listen", Self.array(listen()))
        copyNumber("max_connections", into: &section)
        if let level = take("log_level") {
            section.add("log_level", TOMLSection.string(Self.logLevel(level)))
        }
        if let permissions = take("default_permissions") {
            section.add("default_permissions", Self.permissions(permissions))
        } else if !settings.values("password").isEmpty || !settings.values("host_permissions").isEmpty {
            // MPD takes every permission away from clients without a password as soon as there is one.
            section.add("default_permissions", "[]")
        }
        if let permissions = take("local_permissions") {
            section.add("local_permissions", Self.permissions(permissions))
        }
        isTranslated.insert("host_permissions")
        let hosts = settings.values("host_permissions")
        if !hosts.isEmpty { section.add("host_permissions", Self.array(hosts)) }
        sections.append(section)
        translateZeroconf()
    }

    private mutating func translateZeroconf() {
        var section = TOMLSection("[zeroconf]")
        if let isEnabled = take("zeroconf_enabled") { section.add("enabled", Self.isYes(isEnabled) ? "true" : "false") }
        if let name = take("zeroconf_name") { section.add("name", TOMLSection.string(name)) }
        if !section.isEmpty { sections.append(section) }
    }

    /// Where clients connect; MPD's own default is every address of the machine.
    private mutating func listen() -> [String] {
        let port = take("port").flatMap { Int($0) } ?? 6600
        isTranslated.insert("bind_to_address")
        let addresses = settings.parameters.filter { $0.name == "bind_to_address" }
        guard !addresses.isEmpty else { return ["0.0.0.0:\(port)", "[::]:\(port)"] }
        return addresses.flatMap { parameter -> [String] in
            let address = parameter.value
            if address == "any" { return ["0.0.0.0:\(port)", "[::]:\(port)"] }
            if let first = address.first, "/~@".contains(first) { return [address] }
            if address == "localhost" { return ["127.0.0.1:\(port)"] }
            if address.hasPrefix("[") { return address.hasSuffix("]") ? ["\(address):\(port)"] : [address] }
            if address.filter({ $0 == ":" }).count > 1 { return ["[\(address)]:\(port)"] }
            return address.contains(":") ? [address] : ["\(address):\(port)"]
        }
    }

    private mutating func translatePasswords() throws {
        isTranslated.insert("password")
        for parameter in settings.parameters where parameter.name == "password" {
            guard let at = parameter.value.firstIndex(of: "@") else {
                note(parameter, "the password has no permissions behind an @ and is left out", quotes: false)
                continue
            }
            var section = TOMLSection("[[server.password]]")
            section.add("hash", TOMLSection.string(try hash(String(parameter.value[..<at]))))
            section.add(
                "permissions", Self.permissions(String(parameter.value[parameter.value.index(after: at)...])))
            sections.append(section)
        }
    }

    // MARK: [local] and [playback]

    private mutating func translateFolders(withoutMusicDirectory: Bool) {
        guard let directory = take("music_directory"), !withoutMusicDirectory else { return }
        if directory.contains("://") {
            comments.append("music_directory \(directory): mount it in the system, and name the folder as [local]")
            notes.append("music_directory is a network storage: mount it in the system, and name the folder as [local]")
            return
        }
        var section = TOMLSection("[local]")
        section.add("music_directory", TOMLSection.string(directory))
        for link in ["follow_outside_symlinks", "follow_inside_symlinks"] {
            if let follows = take(link) { section.add(link, "\(Self.isYes(follows))") }
        }
        // MPD's is off where it is not named, which few mean.
        if let updates = take("auto_update") { section.add("auto_update", "\(Self.isYes(updates))") }
        if let charset = take("id3v1_encoding") { section.add("legacy_charset", TOMLSection.string(charset)) }
        sections.append(section)
    }

    private mutating func translatePlayback() {
        var section = TOMLSection("[playback]")
        if let paused = take("restore_paused") {
            section.add("resume", TOMLSection.string(Self.isYes(paused) ? "pause" : "play"))
        } else {
            section.add("resume", TOMLSection.string("play"))
        }
        if let mode = take("replaygain"), ["off", "track", "album", "auto"].contains(mode) {
            section.add("replay_gain", TOMLSection.string(mode))
        }
        copyDecibels("replaygain_preamp", as: "replay_gain_preamp", into: &section)
        copyDecibels("replaygain_missing_preamp", as: "replay_gain_missing_preamp", into: &section)
        if let limit = take("replaygain_limit") { section.add("replay_gain_limit", "\(Self.isYes(limit))") }
        if let format = take("audio_output_format") {
            section.add("audio_output_format", TOMLSection.string(format))
        }
        sections.append(section)
    }

    // MARK: Blocks

    private mutating func translate(_ block: MPDSettings.Block) {
        guard block.name == "audio_output" else { return explain(block) }
        let output = TranslatedOutput(block)
        sections.append(output.section)
        for note in output.notes { notes.append("\(block.place): \(note)") }
    }

    private mutating func explain(_ block: MPDSettings.Block) {
        if block.name == "partition", let name = block["name"] {
            return note(block.place, "partition \(name)", "make it with `mpc partition`; Segue keeps it")
        }
        let plugin = block["plugin"].map { " " + $0 } ?? ""
        note(block.place, block.name + plugin, "GStreamer does that here, or it has no counterpart")
    }

    // MARK: What is left over

    /// The explanations for parameters that Segue has no key for.
    private static let explanations = [
        "playlist_directory": "its playlists are taken over; Segue keeps playlists in its database",
        "db_file": "Segue has a database of its own",
        "sticker_file": "its stickers are taken over",
        "state_file": "its queue and options are taken over",
        "state_file_interval": "Segue writes changes as they happen",
        "log_file": "the log goes to standard error, where the system's journal takes it",
        "pid_file": "not needed: systemd knows the process",
        "user": "the service's unit names the user",
        "group": "the service's unit names the group",
        "auto_update_depth": "all folders are watched",
        "metadata_to_use": "all tags are kept; clients choose theirs with `tagtypes`",
        "save_absolute_paths_in_playlists": "playlists refer to songs, not to paths",
        "gapless_mp3_playback": "songs always join without a gap",
        "buffer_before_play": "songs are on disk before they play",
        "audio_buffer_size": "songs are on disk before they play",
        "samplerate_converter": "GStreamer converts at its best quality",
        "filesystem_charset": "names are UTF-8",
        "mixer_type": "each [[output]] has its own mixer_type",
    ]

    private mutating func explain(_ parameter: MPDSettings.Parameter) {
        // Comments never show what may be secret.
        let isSecret = parameter.name.contains("password")
        let shown = isSecret ? parameter.name : "\(parameter.name) \"\(parameter.value)\""
        note(parameter.place, shown, Self.explanations[parameter.name] ?? "no counterpart")
    }

    private mutating func note(_ parameter: MPDSettings.Parameter, _ sentence: String, quotes: Bool = true) {
        note(parameter.place, quotes ? "\(parameter.name) \"\(parameter.value)\"" : parameter.name, sentence)
    }

    private mutating func note(_ place: MPDSettings.Place, _ setting: String, _ sentence: String) {
        notes.append("\(place): \(setting): \(sentence)")
        let line = "line \(place.line): \(setting): \(sentence)"
        comments.append(String(line.map { $0.isNewline ? " " : $0 }))
    }

    // MARK: Values

    private mutating func take(_ name: String) -> String? {
        isTranslated.insert(name)
        return settings[name]
    }

    private mutating func copyNumber(_ name: String, into section: inout TOMLSection) {
        guard let value = take(name) else { return }
        if let number = Int(value), number > 0 {
            section.add(name, "\(number)")
        } else {
            notes.append("\(name) is no number: \(value)")
        }
    }

    private mutating func copyDecibels(_ name: String, as key: String, into section: inout TOMLSection) {
        guard let value = take(name) else { return }
        if let number = Double(value), number.isFinite {
            section.add(key, "\(number.clamped(to: -15...15))")
        } else {
            notes.append("\(name) is no number: \(value)")
        }
    }

    /// MPD's words for true.
    static func isYes(_ text: String) -> Bool { ["yes", "true", "1", "on"].contains(text.lowercased()) }

    private static func logLevel(_ level: String) -> String {
        switch level {
        case "verbose": "debug"
        case "error", "warning", "info": level
        default: "notice"
        }
    }

    private static func permissions(_ list: String) -> String {
        let names = list.split(separator: ",").map { $0.trimmingPrefix { $0.isWhitespace } }
        let known = ["read", "add", "player", "control", "admin"]
        return array(known.filter { name in names.contains { $0 == name } })
    }

    private static func array(_ values: [String]) -> String {
        "[" + values.map(TOMLSection.string).joined(separator: ", ") + "]"
    }
}
