/// Values from the environment: `SEGUE_SERVER_LOG_LEVEL` stands for `server.log_level`, and so on.
struct EnvironmentOverrides {
    /// The keys that can be set so, by section. Lists take commas between their parts.
    static let keys: [String: [String]] = [
        "server": [
            "listen", "state_directory", "cache_directory", "max_connections", "default_permissions", "log_level",
        ],
        "navidrome": [
            "url", "username", "password", "password_file", "sync_interval", "scrobble", "format", "max_bitrate",
            "mount", "save_queue",
        ],
        "local": ["music_directory", "mount"],
        "cache": ["size", "prefetch", "cover_size", "cover_space"],
        "playback": [
            "resume", "crossfade", "replay_gain", "replay_gain_preamp", "replay_gain_missing_preamp",
            "replay_gain_limit", "audio_output_format", "radio_crossfade", "radio_timeout", "resume_long_songs",
        ],
        "playlists": ["hide"],
    ]

    private var nodes: [String: [String: Node]] = [:]

    /// Takes what concerns us; a name that starts like a section's but names no key is noted as a problem.
    init(_ environment: [String: String], problems: ProblemList) {
        for (variable, text) in environment.sorted(by: { $0.key < $1.key }) {
            for (section, keys) in Self.keys {
                let prefix = "SEGUE_\(section.uppercased())_"
                guard variable.hasPrefix(prefix) else { continue }
                let key = variable.dropFirst(prefix.count).lowercased()
                guard keys.contains(key) else {
                    let guess = Suggestion.nearest(to: key, among: keys).map { prefix + $0.uppercased() }
                    problems.add(
                        variable: variable, "names no setting" + (guess.map { "; did you mean \($0)?" } ?? ""))
                    continue
                }
                nodes[section, default: [:]][key] = Node(
                    value: .text(text), path: "\(section).\(key)", variable: variable)
            }
        }
    }

    /// Puts the values over those of the file.
    func applied(to root: Node) -> Node {
        guard case .table(var sections) = root.value, !nodes.isEmpty else { return root }
        for (name, overrides) in nodes {
            var section = sections[name] ?? Node(value: .table([:]), path: name)
            // What is no section stays, to be complained about.
            guard case .table(var entries) = section.value else { continue }
            // A password from the environment replaces whichever of the two forms the file has.
            if overrides["password"] != nil { entries["password_file"] = nil }
            if overrides["password_file"] != nil { entries["password"] = nil }
            entries.merge(overrides) { _, new in new }
            section.value = .table(entries)
            sections[name] = section
        }
        var root = root
        root.value = .table(sections)
        return root
    }
}
