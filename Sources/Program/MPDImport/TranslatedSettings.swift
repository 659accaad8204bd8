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
    ///   - paths: the meaning of `~` and variables in the settings.
    ///   - withoutMusicDirectory: leaves out `[local]`, for those whose library is their Navidrome.
    ///   - kept: keys of `[server]` that stay, with their values as TOML has them; `listen` is none of them.
    ///   - socket: the socket that the service listens on in place of MPD's, as it may write to no other folder.
    ///   - hash: makes the `hash` key's value from a client's password.
    /// - Throws: what `hash` throws.
    package init(
        _ settings: MPDSettings, paths: MPDPaths? = nil, withoutMusicDirectory: Bool = false,
        keeping kept: [(key: String, value: String)] = [], socket: String? = nil,
        hash: @escaping (String) throws -> String
    ) throws {
        var translation = SettingsTranslation(settings, paths: paths ?? MPDPaths(), socket: socket, hash: hash)
        try translation.translate(withoutMusicDirectory: withoutMusicDirectory, keeping: kept)
        (text, notes) = (translation.text, translation.notes)
    }
}

/// Goes through MPD's settings, and writes Segue's.
struct SettingsTranslation {
    private let settings: MPDSettings
    private let paths: MPDPaths
    private let socket: String?
    private let hash: (String) throws -> String
    private var sections: [TOMLSection] = []
    private(set) var notes: [String] = []
    private var comments: [String] = []
    /// The parameters that are dealt with, by name; what is left over in the end has no counterpart.
    private var isTranslated: Set<String> = []
    private var partitions: Set<String> = []
    private static let maxPartitions = 16

    init(_ settings: MPDSettings, paths: MPDPaths, socket: String?, hash: @escaping (String) throws -> String) {
        self.settings = settings
        self.paths = paths
        self.socket = socket
        self.hash = hash
    }

    /// The file's text.
    var text: String {
        let file = settings.parameters.first?.place.file ?? "mpd.conf"
        var parts = [TOMLSection.commented("# Made from \(file) by `segue import mpd`.")]
        parts += sections.filter { !$0.isEmpty }.map(\.text)
        if !comments.isEmpty {
            parts.append("# What has no counterpart in Segue:\n" + comments.map { "#   \($0)\n" }.joined())
        }
        return parts.joined(separator: "\n\n")
    }

    mutating func translate(withoutMusicDirectory: Bool, keeping kept: [(key: String, value: String)]) throws {
        translateServer(kept)
        try translatePasswords()
        translateFolders(withoutMusicDirectory: withoutMusicDirectory)
        translatePlayback()
        translateProxy()
        for block in settings.blocks { translate(block) }
        for parameter in settings.parameters where !isTranslated.contains(parameter.name) { explain(parameter) }
        notes += settings.problems
    }

    // MARK: [server]

    private mutating func translateServer(_ kept: [(key: String, value: String)]) {
        var section = TOMLSection("[server]")
        section.add("listen", Self.array(listen() + [socket].compactMap(\.self)))
        for (key, value) in kept { section.add(key, value) }
        copyNumber("max_connections", within: 1...100_000, into: &section)
        copyNumber("connection_timeout", within: 1...86_400, into: &section)
        copyNumber("max_playlist_length", within: 1...4_000_000, into: &section)
        copyNumber("max_command_list_size", within: 1...65_536, into: &section)
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
        guard let inhibits = take("inhibit_idle") else { return }
        var desktop = TOMLSection("[desktop]")
        desktop.add("inhibit_sleep", "\(Self.isYes(inhibits))")
        sections.append(desktop)
    }

    private mutating func translateZeroconf() {
        var section = TOMLSection("[zeroconf]")
        if let isEnabled = take("zeroconf_enabled") { section.add("enabled", Self.isYes(isEnabled) ? "true" : "false") }
        if let name = take("zeroconf_name") { section.add("name", TOMLSection.string(name)) }
        if !section.isEmpty { sections.append(section) }
    }

    /// Where libmpdclient's clients look for a socket.
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
            section.add(
                "permissions", Self.permissions(String(parameter.value[parameter.value.index(after: at)...])))
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
            comments.append(
                TOMLSection.commented(
                    "music_directory \(directory): mount it with `mpc mount NAME ADDRESS`, or in the system and name "
                        + "the folder as [local]"))
            notes.append(
                "music_directory is a network storage: mount it with `mpc mount NAME ADDRESS`, or in the system and "
                    + "name the folder as [local]")
            return
        }
        var section = TOMLSection("[local]")
        section.add("music_directory", TOMLSection.string(paths.written(directory)))
        for link in ["follow_outside_symlinks", "follow_inside_symlinks"] {
            if let follows = take(link) { section.add(link, "\(Self.isYes(follows))") }
        }
        // MPD's is off where it is not named, which few mean.
        if let updates = take("auto_update") { section.add("auto_update", "\(Self.isYes(updates))") }
        if let charset = take("id3v1_encoding") { section.add("legacy_charset", TOMLSection.string(charset)) }
        translateFilenameCharset(into: &section)
        for block in settings.blocks {
            if block.name == "database", let hides = block["hide_playlist_targets"] {
                section.add("hide_cue_targets", "\(Self.isYes(hides))")
            }
            if Self.isCueSheets(block), let isFolder = block["as_directory"] {
                section.add("cue_sheets", "\(Self.isYes(isFolder))")
            }
        }
        sections.append(section)
    }

    /// The charset of names, unless it is the one that names have anyway.
    private mutating func translateFilenameCharset(into section: inout TOMLSection) {
        guard let charset = settings["filesystem_charset"] else { return }
        if Self.utf8.contains(charset.lowercased()) {
            isTranslated.insert("filesystem_charset")
        } else if FileNames(charset: charset) != nil {
            isTranslated.insert("filesystem_charset")
            section.add("filename_charset", TOMLSection.string(charset))
        }
    }

    private static let utf8: Set = ["utf-8", "utf8"]

    private static func isCueSheets(_ block: MPDSettings.Block) -> Bool {
        block.name == "playlist_plugin" && (block["name"] ?? block["plugin"]) == "cue"
    }

    private mutating func translatePlayback() {
        var section = TOMLSection("[playback]")
        if let paused = take("restore_paused") {
            section.add("resume", TOMLSection.string(Self.isYes(paused) ? "pause" : "play"))
        } else {
            section.add("resume", TOMLSection.string("play"))
        }
        if let mode = take("replaygain") {
            if ["off", "track", "album", "auto"].contains(mode) {
                section.add("replay_gain", TOMLSection.string(mode))
            } else {
                for parameter in settings.parameters where parameter.name == "replaygain" {
                    note(parameter, "the modes are off, track, album and auto")
                }
            }
        }
        copyDecibels("replaygain_preamp", as: "replay_gain_preamp", into: &section)
        copyDecibels("replaygain_missing_preamp", as: "replay_gain_missing_preamp", into: &section)
        if let limit = take("replaygain_limit") { section.add("replay_gain_limit", "\(Self.isYes(limit))") }
        if let format = take("audio_output_format") {
            section.add("audio_output_format", TOMLSection.string(format))
        }
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
        let isPossible =
            (1...64).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_")
            }
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

    // MARK: What is left over

    /// The explanations for parameters that Segue has no key for.
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

    private mutating func copyNumber(_ name: String, within range: ClosedRange<Int>, into section: inout TOMLSection) {
        guard let value = take(name) else { return }
        guard let number = Int(value), number > 0 else { return notes.append("\(name) is not a number: \(value)") }
        let nearest = number.clamped(to: range)
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
