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

    /// - Source: MPD v0.24.13 src/config/Templates.cxx, which lists them for its own parser.
    @Test(
        "Every setting of mpd.conf is on the page",
        arguments: [
            "archive_plugin", "audio_buffer_size", "audio_output_format", "auto_update", "auto_update_depth",
            "bind_to_address", "buffer_before_play", "connection_timeout", "database", "db_file", "decoder",
            "default_permissions", "filesystem_charset", "filter", "follow_inside_symlinks", "follow_outside_symlinks",
            "gapless_mp3_playback", "group", "host_permissions", "include", "include_optional", "input", "input_cache",
            "local_permissions",
            "log_file", "log_level", "max_command_list_size", "max_connections", "max_output_buffer_size",
            "max_playlist_length", "metadata_to_use", "mixer_type", "mixramp_analyzer", "music_directory", "neighbors",
            "partition", "password", "pid_file", "playlist_directory", "playlist_plugin", "port", "replaygain",
            "replaygain_limit", "replaygain_missing_preamp", "replaygain_preamp", "resampler", "restore_paused",
            "samplerate_converter", "save_absolute_paths_in_playlists", "state_file", "state_file_interval",
            "sticker_file", "user", "volume_normalization", "zeroconf_enabled", "zeroconf_name",
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

    /// - Source: MPD v0.24.13 doc/plugins.rst; those of releases before are in src/config.
    @Test(
        "Every key of MPD's blocks is on the page",
        arguments: [
            // Databases and the playlist plug-ins.
            "as_directory", "cache_directory", "compress", "hide_playlist_targets", "host", "interface", "keepalive",
            "password", "path", "port",
            // Inputs.
            "app_id", "app_secret", "cacert", "connect_timeout", "default_byte_order", "default_device",
            "default_format", "format_id", "http_proxy_host", "http_proxy_password", "http_proxy_port",
            "http_proxy_user",
            "low_speed_limit", "low_speed_time", "mode", "proxy", "proxy_password", "proxy_user", "skip", "speed",
            "tcp_keepalive", "tcp_keepidle", "tcp_keepintvl", "username", "verbose", "verify_host", "verify_peer",
            // Decoders.
            "accuracy", "analyzeduration", "at_end", "basic", "config_file", "default_fade", "default_genre",
            "default_songlength", "emulate_amiga", "emulate_amiga_type", "full_scan", "interpolation_filter", "kernal",
            "loop", "loop_count", "lsbitfirst", "override_mptm_interp_filter", "probesize", "repeat_count",
            "resampling_mode", "sample_rate", "songlength_database", "soundfont", "stereo_separation", "sync_samples",
            "volume_ramping",
            // Encoders, resamplers and filters.
            "attenuation", "bitrate", "complexity", "compression", "flags", "graph", "hdcd", "normalize", "oggchaining",
            "oggflac", "opustags", "packet_loss", "passband_end", "phase_response", "precision", "quality", "routes",
            "signal", "stopband_begin", "threads", "vbr",
            // Outputs.
            "allowed_formats", "always_off", "always_on", "auto_channels", "auto_destination_ports", "auto_format",
            "auto_resample", "autostart", "bind_to_address", "buffer_time", "channel_map", "client_name",
            "close_on_pause", "command", "description", "destination_ports", "device", "dop", "driver", "dscp_class",
            "dsd", "dsd_usb", "enabled", "encoder", "enumerate", "exclusive", "filters", "format", "format_path",
            "genre", "hog_device", "id3v1_encoding", "inhibit_idle", "max_clients", "media_role", "mixer_control",
            "mixer_device", "mixer_enabled", "mixer_index", "mixer_type", "mount", "name", "options", "period_time",
            "plugin", "protocol", "public", "remote", "replay_gain_handler", "ringbuffer_size", "scale_volume",
            "server", "server_name", "sink", "source_ports", "stop_dsd_silence", "sync", "tags", "target",
            "thesycon_dsd_workaround", "timeout", "tls", "type", "url", "user", "website", "write_size", "zeroconf",
        ])
    func plugins(key: String) {
        #expect(page.contains("`\(key)`"))
    }
}
