import MusicModel

/// The keys of the configuration that the page may set.
///
/// Each is useful without a text editor, and harmless in the hands of any administrator over the network: none names an
/// address, a host, a path, a program, a password, a permission or an output, and none lets the disk fill up. Their
/// types, ranges and defaults are those of the lines that read them.
package enum WritableKeys {
    /// All of them, in the order in which they are shown.
    package static let all = [
        "server.log_level",
        "navidrome.scrobble", "navidrome.save_queue",
        "cache.size", "cache.prefetch",
        "playback.resume", "playback.resume_long_songs", "playback.crossfade_albums", "playback.crossfade_on_next",
        "playback.beat_match", "playback.fade_on_pause", "playback.fade_on_stop", "playback.replay_gain_preamp",
        "playback.replay_gain_missing_preamp", "playback.replay_gain_limit", "playback.radio_crossfade",
        "playback.radio_timeout", "playback.pause_without_listeners",
        "discovery.playlists", "discovery.server_similarity", "discovery.analyse", "discovery.measured_gain",
        "discovery.measured_ramps",
        "dj.mode", "dj.ahead", "dj.repeat_hours", "dj.artist_gap", "dj.lowest_rating", "dj.adventure", "dj.explain",
    ]

    /// Those of them that the running server takes over at once.
    package static let takenOverAtOnce: Set = ["server.log_level"]

    private static let known = Set(all)

    /// Whether the page may set a key.
    static func contains(_ key: String) -> Bool { known.contains(key) }

    /// Says why the page may not set a key; nil when it may.
    static func refusal(of key: String) -> SettingRefusal? {
        if contains(key) { return nil }
        let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let section = parts.dropLast().joined(separator: ".")
        let isKnown = EnvironmentOverrides.keys[section]?.contains(parts.last ?? "") == true
        if isKnown || lists.contains(where: { key == $0 || key.hasPrefix($0 + ".") }) {
            return SettingRefusal(
                .forbidden, key, "\(key) can only be set in the configuration file or the environment.")
        }
        let guess = Suggestion.nearest(to: key, among: all).map { "; did you mean \($0)?" } ?? "."
        return SettingRefusal(.unknown, key, "The configuration has no key of this name\(guess)")
    }

    /// The sections of which there may be several.
    private static let lists = [
        "server.password", "output", "partition", "station", "equalizer", "impulse_response",
        "effects", "graph",
    ]
}
