import Foundation
import Testing

@testable import SegueConfiguration

@Suite("docs/mpd.md")
struct ComingFromMPDTests {
    private let page: String
    private let example: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        page = try String(contentsOf: root.appending(path: "docs/mpd.md"), encoding: .utf8)
        example = try String(contentsOf: root.appending(path: "conf/segue.toml"), encoding: .utf8)
    }

    /// The keys in the example by the sections as the page writes them.
    private var keys: [String: Set<String>] {
        var keys: [String: Set<String>] = [:]
        var section = ""
        for line in example.split(separator: "\n") {
            let line = line.hasPrefix("#") ? line.dropFirst() : line
            if line.hasPrefix("["), let end = line.lastIndex(of: "]") {
                section = String(line[...end])
            } else if let match = line.prefixMatch(of: #/([a-z_]+) = /#) {
                keys[section, default: []].insert(String(match.1))
            }
        }
        return keys
    }

    @Test("Every setting that the page names exists")
    func exists() {
        let keys = keys
        var count = 0
        for match in page.matches(of: #/`(\[+[a-z._]+\]+) ([a-z_]+)`/#) {
            count += 1
            #expect(keys[String(match.1)]?.contains(String(match.2)) == true, "\(match.1) \(match.2)")
        }
        #expect(count > 50)
    }

    @Test(
        "Every setting of mpd.conf is on the page",
        arguments: [
            "audio_buffer_size", "audio_output_format", "auto_update", "auto_update_depth", "bind_to_address",
            "connection_timeout", "database", "db_file", "decoder", "default_permissions", "filesystem_charset",
            "follow_inside_symlinks", "follow_outside_symlinks", "gapless_mp3_playback", "group", "host_permissions",
            "include", "include_optional", "input", "input_cache", "local_permissions", "log_file", "log_level",
            "max_command_list_size", "max_connections", "max_output_buffer_size", "max_playlist_length",
            "metadata_to_use", "mixramp_analyzer", "music_directory", "neighbors", "partition", "password", "pid_file",
            "playlist_directory", "playlist_plugin", "port", "replaygain", "replaygain_limit",
            "replaygain_missing_preamp", "replaygain_preamp", "resampler", "restore_paused", "samplerate_converter",
            "save_absolute_paths_in_playlists", "state_file", "state_file_interval", "sticker_file", "user",
            "zeroconf_enabled", "zeroconf_name",
        ])
    func isComplete(setting: String) {
        #expect(page.contains("| `\(setting)` |"))
    }

    @Test("Every key of MPD's outputs that is refused with advice is on the page")
    func advice() {
        for key in ConfigurationReader.adviceForMPD.keys.sorted() {
            #expect(page.contains("`\(key)`"), "\(key)")
        }
    }

    @Test(
        "Keys of MPD's plug-ins that people set are on the page",
        arguments: [
            "always_off", "cacert", "channel_map", "compress", "connect_timeout", "dscp_class", "graph", "hdcd",
            "http_proxy_host", "http_proxy_password", "http_proxy_port", "http_proxy_user", "id3v1_encoding",
            "inhibit_idle", "mixer_enabled", "normalize", "ringbuffer_size", "routes", "scale_volume", "verify_peer",
        ])
    func plugins(key: String) {
        #expect(page.contains("`\(key)`"))
    }
}
