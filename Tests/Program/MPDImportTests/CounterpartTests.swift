import Foundation
import TestSupport
import Testing

@testable import MPDImport

/// Settings that the document says are here come out of the import.
@Suite(.enabled(if: testsEverything)) struct CounterpartTests {
    /// An `mpd.conf` with all of MPD's settings that have a counterpart.
    private static let settings = #"""
        music_directory "/m"
        follow_outside_symlinks "no"
        follow_inside_symlinks "no"
        auto_update "yes"
        id3v1_encoding "windows-1251"
        filesystem_charset "ISO-8859-1"
        bind_to_address "localhost"
        port "6601"
        password "secret@read"
        default_permissions "read"
        local_permissions "read"
        host_permissions "192.168.1.7 read"
        connection_timeout "70"
        max_connections "20"
        max_command_list_size "4096"
        max_playlist_length "5000"
        zeroconf_enabled "yes"
        zeroconf_name "Music"
        log_level "info"
        restore_paused "yes"
        audio_output_format "48000:16:2"
        replaygain "track"
        replaygain_preamp "1"
        replaygain_missing_preamp "2"
        replaygain_limit "no"
        database {
            plugin "simple"
            path "/nowhere"
            hide_playlist_targets "no"
        }
        playlist_plugin {
            name "cue"
            as_directory "no"
        }
        input {
            plugin "curl"
            proxy "proxy.example.org"
            proxy_user "me"
            proxy_password "secret"
        }
        partition {
            name "Kitchen"
        }
        audio_output {
            type "alsa"
            name "A"
            enabled "no"
            format "48000:16:2"
            always_on "yes"
            mixer_type "hardware"
            mixer_device "hw:0"
            mixer_control "PCM"
            mixer_index "1"
            replay_gain_handler "mixer"
            device "hw:0"
            buffer_time "100000"
            allowed_formats "44100:16:2 96000:24:* dsd64:2=dop"
            dop "yes"
            stop_dsd_silence "yes"
            thesycon_dsd_workaround "yes"
            close_on_pause "yes"
            channel_map "-1,-1,0,1"
        }
        filter {
            plugin "ffmpeg"
            name "soft"
            graph "volume=-6dB"
        }
        audio_output {
            type "pulse"
            name "B"
            filters "soft"
            server "here"
            sink "speakers"
            allowed_formats "44100:16:2 dsd64:2"
        }
        audio_output {
            type "jack"
            name "C"
            destination_ports "system:playback_1, card.2:out"
            format "48000:24:2"
        }
        audio_output {
            type "httpd"
            name "D"
            port "8001"
            bind_to_address "127.0.0.1"
            max_clients "3"
            tags "no"
            quality "5"
        }
        audio_output {
            type "shout"
            name "E"
            encoding "mp3"
            bitrate "128"
            host "h"
            mount "/m"
            user "u"
            password "p"
            url "http://site"
            genre "g"
            description "d"
            public "yes"
            tls "auto"
        }
        audio_output {
            type "recorder"
            name "F"
            path "/r.flac"
            encoder "flac"
        }
        audio_output {
            type "recorder"
            name "G"
            format_path "/r/%Title%.flac"
        }
        audio_output {
            type "pipe"
            name "H"
            command "aplay"
        }
        audio_output {
            type "null"
            name "I"
            sync "no"
        }
        """#

    /// Keys that the document names beside others, and that no setting of MPD's says anything about.
    private static let own: Set<String> = [
        "[navidrome] url", "[local] auto_update_interval", "[local] cover_names", "[cache] cover_size",
        "[server] state_directory", "[server] memory_budget", "[[server.password]] password", "[http] no_proxy",
        "[playback] line_inputs", "[playback] cd_devices", "[resolver] command", "[resolver] hosts", "[cache] size",
        "[cache] prefetch", "[discovery] analyse", "[[output]] equalizer", "[[output]] impulse_response",
        "[[output]] tls_certificate", "[playback] crossfade", "[[output]] effects", "[[output]] dsd",
        "[[output]] levelling",
        "[[partition]] outputs", "[playback] radio_timeout", "[desktop] inhibit_sleep", "[[output]] realtime",
        "[navidrome] certificate",
    ]

    @Test("every key that docs/mpd.md has for a setting comes out of the import")
    func keys() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/mpd.md"), encoding: .utf8)
        let folder = try TemporaryFolder()
        try folder.write("mpd.conf", Self.settings)
        let translated = try TranslatedSettings(MPDSettingsReader.read(folder.path + "/mpd.conf"), hash: { $0 })
        var written: Set<String> = []
        var section = ""
        for line in translated.text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("[") { section = String(line) }
            if let key = line.prefixMatch(of: #/([a-z_]+) = /#) { written.insert("\(section) \(key.1)") }
        }
        var count = 0
        for match in page.matches(of: #/`(\[+[a-z._]+\]+) ([a-z_]+)`/#) {
            let key = "\(match.1) \(match.2)"
            count += 1
            #expect(written.contains(key) || Self.own.contains(key), "\(key) is not written")
        }
        #expect(count > 50)
        #expect(Self.own.intersection(written).isEmpty)
        // JACK's server has a format of its own.
        let others = translated.notes.filter { $0.contains("no counterpart") }
        #expect(others.count == 1 && others[0].hasSuffix("C: format has no counterpart"), "\(translated.notes)")
        for line in [
            #"proxy = "http://proxy.example.org:1080""#,
            #"allowed_formats = ["44100:16:2", "96000:24:*", "dsd64:2=dop"]"#,
            #"route = "0>2, 1>3""#, #"device = "^(system:playback_1|card\\.2:out)$""#, #"encoder = "vorbis""#,
            #"encoder = "mp3""#, #"allowed_formats = ["44100:16:2"]"#, "hide_cue_targets = false", "cue_sheets = false",
            #"name = "Kitchen""#, "connection_timeout = 70", "max_command_list_size = 4096",
        ] {
            #expect(translated.text.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
    }

    @Test("numbers that Segue doesn't take become the nearest that it does, and are told")
    func numbers() throws {
        let folder = try TemporaryFolder()
        try folder.write("mpd.conf", "max_connections 99999999999\nconnection_timeout x\n")
        let translated = try TranslatedSettings(MPDSettingsReader.read(folder.path + "/mpd.conf"), hash: { $0 })
        #expect(translated.text.contains("max_connections = 100000"))
        #expect(!translated.text.contains("connection_timeout ="))
        #expect(translated.notes.count == 2)
    }
}
