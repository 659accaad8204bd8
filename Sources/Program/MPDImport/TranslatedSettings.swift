import MusicModel

/// Segue's configuration as it follows from an `mpd.conf`.
struct TranslatedSettings {
    private let settings: MPDSettings
    private let paths: MPDPaths
    private let socket: String?
    private let hash: (String) throws -> String
    private var sections: [TOMLSection] = []
    /// Settings that have no counterpart, or work differently, each as a sentence with its place.
    private(set) var notes: [String] = []
    private var comments: [String] = []
    /// The parameters that are dealt with, by name; what is left over in the end has no counterpart.
    private var isTranslated: Set<String> = []
    private var partitions: Set<String> = []
    private static let maxPartitions = 16

    /// Translates settings.
    /// - Parameters:
    ///   - paths: the meaning of `~` and variables in the settings.
    ///   - withoutMusicDirectory: leaves out `[local]`, for those whose library is their Navidrome.
    ///   - kept: keys of `[server]` that stay, with their values as TOML has them; `listen` is none of them.
    ///   - socket: the socket that the service listens on in place of MPD's, as it may write to no other folder.
    ///   - hash: makes the `hash` key's value from a client's password.
    init(
        _ settings: MPDSettings, paths: MPDPaths = MPDPaths(), withoutMusicDirectory: Bool = false,
        keeping kept: [(key: String, value: String)] = [], socket: String? = nil,
        hash: @escaping (String) throws -> String
    ) throws {
        (self.settings, self.paths, self.socket, self.hash) = (settings, paths, socket, hash)
        translateServer(kept)
        try translatePasswords()
        translateFolders(withoutMusicDirectory: withoutMusicDirectory)
        translatePlayback()
        translateProxy()
        for block in settings.blocks { translate(block) }
        for parameter in settings.parameters where !isTranslated.contains(parameter.name) { explain(parameter) }
        notes += settings.problems
    }

    var text: String {
        let file = settings.parameters.first?.place.file ?? "mpd.conf"
        var parts = [TOMLSection.commented("# Made from \(file) by `segue import mpd`.")]
        parts += sections.filter { !$0.isEmpty }.map(\.text)
        if !comments.isEmpty {
            parts.append("# What has no counterpart in Segue:\n" + comments.map { "#   \($0)\n" }.joined())
        }
        return parts.joined(separator: "\n\n")
    }

    // MARK: [server]

    private mutating func translateServer(_ kept: [(key: String, value: String)]) {
        var section = TOMLSection("[server]")
        section.add("listen", Self.array(listen() + [socket].compactMap(\.self)))
        for (key, value) in kept { section.add(key, value) }
        copyNumber("max_connections", upTo: 100_000, into: &section)
        copyNumber("connection_timeout", upTo: 86_400, into: &section)
        copyNumber("max_playlist_length", upTo: 4_000_000, into: &section)
        copyNumber("max_command_list_size", upTo: 65_536, into: &section)
        copy("log_level", into: &section, Self.logLevel)
        isTranslated.insert("host_permissions")
        let hosts = settings.values("host_permissions")
        copy("default_permissions", into: &section, Self.permissions)
        if settings["default_permissions"] == nil, !(settings.values("password") + hosts).isEmpty {
            // MPD takes every permission away from clients without a password as soon as there is one.
            section.add("default_permissions", "[]")
        }
        copy("local_permissions", into: &section, Self.permissions)
        if !hosts.isEmpty { section.add("host_permissions", Self.array(hosts)) }
        var zeroconf = TOMLSection("[zeroconf]")
        copy("zeroconf_enabled", as: "enabled", into: &zeroconf, Self.flag)
        copy("zeroconf_name", as: "name", into: &zeroconf)
        var desktop = TOMLSection("[desktop]")
        copy("inhibit_idle", as: "inhibit_sleep", into: &desktop, Self.flag)
        sections += [section, zeroconf, desktop]
    }

    private static let usualSocket = "/run/mpd/socket"

    /// Where clients connect; MPD's own default is every address of the machine.
    private mutating func listen() -> [String] {
        let port = take("port").flatMap { Int($0) } ?? 6600
        isTranslated.insert("bind_to_address")
        let addresses = settings.parameters.filter { $0.name == "bind_to_address" }
        guard !addresses.isEmpty else { return ["0.0.0.0:\(port)", "[::]:\(port)"] }
        return addresses.flatMap { parameter -> [String] in
            let address = parameter.value
            if address == "any" { return ["0.0.0.0:\(port)", "[::]:\(port)"] }
            if let first = address.first, "/~@$".contains(first) {
                guard let socket, first != "@" else { return [paths.written(address)] }
                // A link of the package leads from there to the service's socket.
                if address != Self.usualSocket { note(parameter, "the service's socket is \(socket)") }
                return []
            }
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
                note(parameter, "the password has no permissions after an @ and is skipped", quotes: false)
                continue
            }
            var section = TOMLSection("[[server.password]]")
            section.add("hash", TOMLSection.string(try hash(String(parameter.value[..<at]))))
            section.add("permissions", Self.permissions(String(parameter.value[parameter.value.index(after: at)...])))
            sections.append(section)
        }
    }

    // MARK: [local] and [playback]

    private mutating func translateFolders(withoutMusicDirectory: Bool) {
        let named = take("music_directory")
        if withoutMusicDirectory {
            var section = TOMLSection("[navidrome]")
            section.comment("The server and the user are those of `segue login`.")
            return sections.append(section)
        }
        guard let directory = named else { return }
        if directory.contains("://") {
            let advice = "mount it with `mpc mount NAME ADDRESS`, or in the system and name the folder as [local]"
            comments.append(TOMLSection.commented("music_directory \(directory): \(advice)"))
            return notes.append("music_directory is a network storage: \(advice)")
        }
        var section = TOMLSection("[local]")
        section.add("music_directory", TOMLSection.string(paths.written(directory)))
        copy("follow_outside_symlinks", into: &section, Self.flag)
        copy("follow_inside_symlinks", into: &section, Self.flag)
        // MPD's is off where it is not named, which few mean.
        copy("auto_update", into: &section, Self.flag)
        copy("id3v1_encoding", as: "legacy_charset", into: &section)
        let charset = settings["filesystem_charset"] ?? ""
        if ["utf-8", "utf8"].contains(charset.lowercased()) {
            // Names are in it anyway.
            isTranslated.insert("filesystem_charset")
        } else if FileNames(charset: charset) != nil {
            copy("filesystem_charset", as: "filename_charset", into: &section)
        }
        for block in settings.blocks {
            if block.name == "database", let hides = block["hide_playlist_targets"] {
                section.add("hide_cue_targets", Self.flag(hides))
            }
            if Self.isCueSheets(block), let isFolder = block["as_directory"] {
                section.add("cue_sheets", Self.flag(isFolder))
            }
        }
        sections.append(section)
    }

    private static func isCueSheets(_ block: MPDSettings.Block) -> Bool {
        block.name == "playlist_plugin" && (block["name"] ?? block["plugin"]) == "cue"
    }

    private mutating func translatePlayback() {
        var section = TOMLSection("[playback]")
        let isPaused = take("restore_paused").map(Self.isYes) ?? false
        section.add("resume", TOMLSection.string(isPaused ? "pause" : "play"))
        let modes = ["off", "track", "album", "auto"]
        for parameter in settings.parameters
        where parameter.name == "replaygain" && !modes.contains(settings["replaygain"] ?? "") {
            note(parameter, "the modes are off, track, album and auto")
        }
        copy("replaygain", as: "replay_gain", into: &section) { modes.contains($0) ? TOMLSection.string($0) : nil }
        copyDecibels("replaygain_preamp", as: "replay_gain_preamp", into: &section)
        copyDecibels("replaygain_missing_preamp", as: "replay_gain_missing_preamp", into: &section)
        copy("replaygain_limit", as: "replay_gain_limit", into: &section, Self.flag)
        copy("audio_output_format", into: &section)
        sections.append(section)
    }

    /// The proxy of the plugin `curl`, or the settings that were there before it.
    private mutating func translateProxy() {
        let block = settings.blocks.first { $0.name == "input" && $0["plugin"] == "curl" }
        let (host, port) = (take("http_proxy_host"), take("http_proxy_port"))
        let (user, password) = (take("http_proxy_user"), take("http_proxy_password"))
        guard let address = block?["proxy"] ?? host.map({ $0 + (port.map { ":" + $0 } ?? "") }), !address.isEmpty else {
            return
        }
        let name = address.contains("://") ? address : "http://" + address
        guard name.hasPrefix("http://") else {
            return notes.append("the proxy is not an HTTP proxy; Segue supports no others")
        }
        var section = TOMLSection("[http]")
        // The port that curl takes where none is named.
        let hasPort = name.dropFirst(7).last { $0 == ":" || $0 == "]" } == ":"
        section.add("proxy", TOMLSection.string(hasPort ? name : name + ":1080"))
        if let user = block?["proxy_user"] ?? user { section.add("proxy_user", TOMLSection.string(user)) }
        if let password = block?["proxy_password"] ?? password {
            section.add("proxy_password", TOMLSection.string(password))
        }
        sections.append(section)
    }

    // MARK: Blocks

    private mutating func translate(_ block: MPDSettings.Block) {
        switch block.name {
        case "audio_output":
            let output = TranslatedOutput(
                block, filters: settings.blocks.filter { $0.name == "filter" }, paths: paths,
                inherited: settings["mixer_type"])
            sections.append(output.section)
            for note in output.notes { notes.append("\(block.place): \(note)") }
        case "filter" where ["route", "ffmpeg"].contains(block["plugin"] ?? "") && block["name"] != nil: return
        case "partition": translatePartition(block)
        case "database": explainRest(of: block, but: ["plugin", "path", "cache_directory", "hide_playlist_targets"])
        case "input" where block["plugin"] == "curl":
            explainRest(of: block, but: ["plugin", "proxy", "proxy_user", "proxy_password"])
        case "playlist_plugin" where Self.isCueSheets(block):
            explainRest(of: block, but: ["plugin", "name", "as_directory"])
        default: explain(block)
        }
    }

    private mutating func translatePartition(_ block: MPDSettings.Block) {
        let name = block["name"] ?? ""
        let head = "[[partition]]"
        let isPossible = name.wholeMatch(of: #/[A-Za-z0-9_\-]{1,64}/#) != nil
        guard isPossible, sections.filter({ $0.head == head }).count < Self.maxPartitions else {
            return note(
                block.place, "partition \(name)", "names of partitions have letters, digits, - and _, and there are 16")
        }
        guard !partitions.contains(name) else { return }
        partitions.insert(name)
        var section = TOMLSection(head)
        section.add("name", TOMLSection.string(name))
        sections.append(section)
    }

    /// Explains the keys of a block that has a counterpart for others.
    private mutating func explainRest(of block: MPDSettings.Block, but known: Set<String>) {
        if block.name == "database", let plugin = block["plugin"], plugin != "simple" { return explain(block) }
        for parameter in block.parameters where !known.contains(parameter.name) { explain(parameter) }
    }

    private mutating func explain(_ block: MPDSettings.Block) {
        let plugin = (block["plugin"] ?? block["name"]).map { " " + $0 } ?? ""
        note(block.place, block.name + plugin, "GStreamer does that here, or it has no counterpart")
    }

    private static let explanations = [
        "playlist_directory": "its playlists are imported; Segue keeps playlists in its database",
        "db_file": "Segue has a database of its own",
        "sticker_file": "its stickers are imported",
        "state_file": "its queue and options are imported",
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
        "filesystem_charset": "it applies to music folders; the system has to support it",
        "mixer_type": "each [[output]] has its own mixer_type",
        "max_output_buffer_size": "answers of any length are sent as fast as clients read",
        "volume_normalization": "ReplayGain, and levelling = true at an [[output]]",
        "mixramp_analyzer": "analyse in [discovery] measures what the tags would say",
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
        comments.append(TOMLSection.commented(line))
    }

    // MARK: Values

    private mutating func take(_ name: String) -> String? {
        isTranslated.insert(name)
        return settings[name]
    }

    /// Adds a key with MPD's value as `form` writes it; nil leaves it out.
    private mutating func copy(
        _ name: String, as key: String? = nil, into section: inout TOMLSection,
        _ form: (String) -> String? = { TOMLSection.string($0) }
    ) {
        if let value = take(name).flatMap(form) { section.add(key ?? name, value) }
    }

    private mutating func copyNumber(_ name: String, upTo limit: Int, into section: inout TOMLSection) {
        guard let value = take(name) else { return }
        guard let number = Int(value), number > 0 else { return notes.append("\(name) is not a number: \(value)") }
        let nearest = min(number, limit)
        section.add(name, "\(nearest)")
        if nearest != number { notes.append("\(name) \(number) is \(nearest) here, the nearest") }
    }

    private mutating func copyDecibels(_ name: String, as key: String, into section: inout TOMLSection) {
        guard let value = take(name) else { return }
        if let number = Double(value), number.isFinite {
            section.add(key, "\(number.clamped(to: -15...15))")
        } else {
            notes.append("\(name) is not a number: \(value)")
        }
    }

    static func isYes(_ text: String) -> Bool { ["yes", "true", "1", "on"].contains(text.lowercased()) }

    static func flag(_ text: String) -> String { "\(isYes(text))" }

    private static func logLevel(_ level: String) -> String {
        switch level {
        case "verbose": "\"debug\""
        case "error", "warning", "info": TOMLSection.string(level)
        default: "\"notice\""
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
