import Foundation
import TestSupport
import Testing

@testable import MPDImport

@Suite(.enabled(if: testsEverything)) struct TranslationTests {
    @Test("settings with a counterpart become keys, others comments that give the reason")
    func translation() throws {
        let translated = try TranslatedSettings(
            settings(
                #"""
                music_directory "~/Music"
                bind_to_address "any"
                bind_to_address "/run/mpd/socket"
                port "6601"
                password "se\"cret@read,add"
                local_permissions "read"
                host_permissions "192.168.1.7 read,add"
                log_level "verbose"
                restore_paused "yes"
                replaygain "album"
                replaygain_preamp "99"
                db_file "~/.mpd/database"
                upnp "yes"
                audio_output {
                    type "httpd"
                    name "Web"
                    encoder "lame"
                    bitrate "192"
                    port "8001"
                    dop "yes"
                }
                audio_output {
                    type "oss"
                    name "Old"
                }
                decoder {
                    plugin "mad"
                    enabled "no"
                }
                """#), paths: MPDPaths(isRoot: false), hash: { "scrypt of \($0)" })
        let text = translated.text
        for line in [
            #"listen = ["0.0.0.0:6601", "[::]:6601", "/run/mpd/socket"]"#, #"hash = "scrypt of se\"cret""#,
            #"permissions = ["read", "add"]"#, "default_permissions = []", #"log_level = "debug""#,
            #"local_permissions = ["read"]"#,
            #"host_permissions = ["192.168.1.7 read,add"]"#, #"resume = "pause""#, #"replay_gain = "album""#,
            "replay_gain_preamp = 15.0",
            #"music_directory = "~/Music""#, #"encoder = "mp3""#, "bitrate = 192", "port = 8001", #"type = "auto""#,
        ] {
            #expect(text.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        #expect(text.contains(#"#   line 13: upnp "yes": no counterpart"#))
        #expect(text.contains("# dop \"yes\" has no counterpart"))
        #expect(translated.notes.contains { $0.contains("decoder mad") })
        #expect(translated.notes.contains { $0.contains("output type oss") })
        #expect(!translated.notes.contains { $0.contains("cret") })
    }

    @Test("the route among an output's filters becomes its key, and plays what MPD's plays")
    func route() throws {
        let translated = try TranslatedSettings(
            settings(
                #"""
                filter {
                    plugin "route"
                    name "rears"
                    routes "0>0, 1 > 1, 5>2, 0>2, 1>3"
                }
                filter {
                    plugin "hdcd"
                    name "hd"
                }
                filter {
                    plugin "route"
                    name "broken"
                    routes "0>0, 1"
                }
                audio_output {
                    type "alsa"
                    name "Four"
                    filters "hd, rears"
                }
                audio_output {
                    type "alsa"
                    name "Broken"
                    filters "broken"
                }
                """#), hash: { $0 })
        // The last source of a channel counts.
        #expect(translated.text.contains(#"route = "0>0, 1>1, 0>2, 1>3""#))
        #expect(translated.notes.contains { $0.contains("the filter hd has no counterpart") })
        #expect(translated.notes.contains { $0.contains("the routes of broken can't be understood") })
        #expect(!translated.notes.contains { $0.contains("rears") })
        #expect(translated.text.split(separator: "\n").filter { $0.hasPrefix("route = ") }.count == 1)
    }

    @Test(
        "the path of each title means the same, and what it can't be is told",
        arguments: [
            ("/r/[%artist% - ][%title%|%name%] %iso8601%.ogg", nil, 0),
            (
                "[$HOME/r/[%artist% - ]%title%.ogg]|[~root/%name%]",
                "[/h/x/r/[%artist% - ]%title%.ogg]|[\(NSHomeDirectoryForUser("root") ?? "")/%name%]", 0
            ),
            (
                #"/r/[%%d %m% %nothing% 100% \[#%title% [%title%]"#,
                #"/r/[#%#%d #%m#% #%nothing#% 100#% \[#%title#% [%title%]]"#, 1
            ),
            ("/r/%title%].ogg", "/r/%title%", 2),
            ("/r/%artist%.ogg", nil, 1),
        ])
    func formatPath(format: String, written: String?, notes: Int) throws {
        let paths = MPDPaths(environment: ["HOME": "/h/x"], isRoot: true)
        let path = format.replacing("\\", with: "\\\\")
        let translated = try TranslatedSettings(
            settings("audio_output {\ntype \"recorder\"\nname \"R\"\nformat_path \"\(path)\"\n}"), paths: paths,
            hash: { $0 })
        let line = "format_path = " + TOMLSection.string(written ?? format)
        #expect(translated.text.split(separator: "\n").contains { $0 == line }, "\(translated.text)")
        #expect(translated.notes.filter { $0.contains("format_path") }.count == notes, "\(translated.notes)")
    }

    @Test("the graphs among an output's filters become its key, in their order")
    func graphs() throws {
        let translated = try TranslatedSettings(
            settings(
                #"""
                filter {
                    plugin "ffmpeg"
                    name "soft"
                    graph "volume=-6dB"
                }
                filter {
                    plugin "ffmpeg"
                    name "night"
                    graph "acompressor=ratio=4"
                }
                filter {
                    plugin "ffmpeg"
                    name "split"
                    graph "asplit[a][b];[a][b]amix"
                }
                audio_output {
                    type "alsa"
                    name "One"
                    filters "night, soft"
                }
                audio_output {
                    type "alsa"
                    name "Two"
                    filters "split, soft"
                }
                """#), hash: { $0 })
        #expect(translated.text.contains(#"graph = "acompressor=ratio=4, volume=-6dB""#))
        #expect(translated.text.contains(#"graph = "asplit[a][b];[a][b]amix""#))
        #expect(translated.notes.filter { $0.contains("of several labelled graphs") }.count == 1)
        #expect(!translated.notes.contains { $0.contains("no counterpart") })
    }

    @Test("those whose library is Navidrome keep it: the music folder is left out")
    func navidrome() throws {
        let settings = try settings("music_directory \"/m\"")
        let without = try TranslatedSettings(settings, withoutMusicDirectory: true) { $0 }
        #expect(!without.text.contains("[local]"))
        #expect(try TranslatedSettings(settings, hash: { $0 }).text.contains("[local]"))
    }

    @Test("What folders notice, which links they follow and the charset of old tags are taken over")
    func folder() throws {
        let text = try TranslatedSettings(
            settings(
                """
                music_directory "/m"
                auto_update "no"
                auto_update_depth "3"
                follow_outside_symlinks "no"
                id3v1_encoding "windows-1251"
                inhibit_idle "yes"
                """)
        ) { $0 }.text
        for line in [
            "auto_update = false", "follow_outside_symlinks = false", "legacy_charset = \"windows-1251\"",
            "all folders are watched", "[desktop]", "inhibit_sleep = true",
        ] {
            #expect(text.contains(line), "\(line)")
        }
        #expect(try !TranslatedSettings(settings("music_directory \"/m\""), hash: { $0 }).text.contains("auto_update"))
    }

    @Test("the charset of names is taken over unless it is UTF-8, or one that the system doesn't know")
    func charset() throws {
        func translated(_ charset: String) throws -> TranslatedSettings {
            try TranslatedSettings(
                settings("music_directory \"/m\"\nfilesystem_charset \"\(charset)\""), hash: { $0 })
        }
        let taken = try translated("ISO-8859-1")
        #expect(taken.text.contains("filename_charset = \"ISO-8859-1\""))
        #expect(!taken.notes.contains { $0.contains("charset") })
        #expect(try !translated("UTF-8").text.contains("charset"))
        let unknown = try translated("klingon-8")
        #expect(!unknown.text.contains("filename_charset"))
        #expect(unknown.notes.contains { $0.contains("filesystem_charset \"klingon-8\"") })
    }

    @Test("a value that no key has is a note and a comment")
    func unknownValues() throws {
        let translated = try TranslatedSettings(
            settings(
                """
                replaygain "loud"
                mixer_type "hardware"
                audio_output {
                    type "httpd"
                    name "Web"
                    mixer_type "hardware"
                    replay_gain_handler "magic"
                    encoder "speex"
                }
                audio_output {
                    type "alsa"
                    name "DAC"
                    mixer_type "valve"
                }
                audio_output {
                    type "fifo"
                    name "Pipe"
                    path "/p"
                }
                """)
        ) { $0 }
        for (setting, value) in [
            ("replaygain", "loud"), ("mixer_type", "hardware"), ("replay_gain_handler", "magic"), ("encoder", "speex"),
            ("mixer_type", "valve"),
        ] {
            let words = "\(setting) \"\(value)\""
            // The one of all outputs is explained, too.
            let count = value == "hardware" ? 2 : 1
            #expect(translated.notes.filter { $0.contains(words) }.count == count, "\(words) in \(translated.notes)")
            let comments = translated.text.split(separator: "\n").filter { $0.hasPrefix("#") && $0.contains(words) }
            #expect(comments.count == count, "\(words)")
        }
        #expect(!translated.notes.contains { $0.contains("Pipe") })
    }

    @Test("the socket of a service takes the place of MPD's, which the service may not make")
    func socket() throws {
        let text = """
            bind_to_address "localhost"
            bind_to_address "/run/mpd/socket"
            bind_to_address "~/.mpd/socket"
            """
        let translated = try TranslatedSettings(settings(text), socket: "/run/segue/socket") { $0 }
        #expect(translated.text.contains(#"listen = ["127.0.0.1:6600", "/run/segue/socket"]"#))
        #expect(translated.notes.filter { $0.contains("the service's socket is /run/segue/socket") }.count == 1)
    }

    private func settings(_ text: String) throws -> MPDSettings {
        let folder = try TemporaryFolder()
        try folder.write("mpd.conf", text)
        return try MPDSettingsReader.read(folder.path + "/mpd.conf")
    }
}
