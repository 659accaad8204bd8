import Logging
import MPDProtocol
import MPDSessions
import MediaCache
import MusicModel
import Outputs
import Playback
import Players
import SegueConfiguration
import Sync
import Testing
import UserLibrary

@Suite("Values")
struct ValuesTests {
    @Test("limits of what clients can ask for are read")
    func limits() throws {
        let text =
            "[server]\nconnection_timeout = 7\nmax_playlist_length = 16384\nmax_command_list_size = 64\n"
            + "memory_budget = \"256 MiB\""
        let server = try parse(text).server
        #expect(server.options.timeout == .seconds(7))
        #expect(server.maxPlaylistLength == 16_384)
        #expect(server.options.commandListLimit == 65_536)
        #expect(server.memoryBudget == 268_435_456)
        #expect(try parse("[server]\nmemory_budget = 0").server.memoryBudget == 0)
        #expect(try parse("", ["SEGUE_SERVER_MEMORY_BUDGET": "0"]).server.memoryBudget == 0)
    }

    @Test("every key of every section is read")
    func everyKey() throws {
        let configuration = try parse(
            """
            [server]
            listen = ["0.0.0.0:6601", "[::1]:6602", "localhost:0", "~/segue.sock", "/run/segue/socket"]
            state_directory = "~/state/"
            cache_directory = "/cache"
            max_connections = 5
            default_permissions = ["read"]
            log_level = "debug"
            [navidrome]
            url = "https://music.example.org/navidrome/"
            username = "me"
            password = "p"
            sync_interval = 2.5
            scrobble = false
            save_queue = false
            format = "opus"
            max_bitrate = 128
            mount = "remote"
            [local]
            music_directory = "~"
            mount = "local"
            [cache]
            size = "1.5 GiB"
            prefetch = 0
            cover_size = 0
            cover_space = "20 MB"
            [playback]
            resume = "play"
            crossfade = 5
            crossfade_on_next = 2.5
            beat_match = true
            fade_on_pause = 0.15
            fade_on_stop = 1
            replay_gain = "album"
            replay_gain_preamp = -2.5
            replay_gain_missing_preamp = 3
            replay_gain_limit = false
            audio_output_format = "48000:*:2"
            radio_crossfade = 0
            radio_timeout = 2
            resume_long_songs = 0
            [playlists]
            hide = ["recently_added", "radio"]
            [[station]]
            name = "Radio"
            url = "https://radio.example.org/stream?quality=high"
            """)
        #expect(
            configuration.server.listen == [
                .tcp(host: "0.0.0.0", port: 6601), .tcp(host: "::1", port: 6602), .tcp(host: "localhost", port: 0),
                .unix(path: "/home/me/segue.sock"), .unix(path: "/run/segue/socket"),
            ])
        #expect(
            configuration.server.stateDirectory == "/home/me/state" && configuration.server.cacheDirectory == "/cache")
        let server = configuration.server
        #expect(server.options.maximumConnections == 5 && server.logLevel == .debug)
        #expect(server.options.access.defaultPermission == [.read])
        let navidrome = try #require(configuration.navidrome)
        #expect(navidrome.url == "https://music.example.org/navidrome")
        #expect(navidrome.username == "me")
        #expect(navidrome.password?.reveal() == "p")
        #expect(navidrome.reading.interval == .milliseconds(2500))
        #expect(!navidrome.scrobbling.isEnabled && !navidrome.saveQueue)
        #expect(navidrome.form == TrackForm(format: "opus", maxBitRate: 128))
        #expect(navidrome.mount == "remote")
        #expect(configuration.local?.musicDirectory == "/home/me" && configuration.local?.mount == "local")
        #expect(configuration.cache.size == 1_610_612_736)
        #expect(configuration.cache.prefetch == 0)
        #expect(configuration.cache.coverSize == nil && configuration.cache.coverSpace == 20_000_000)
        let playback = configuration.playback
        #expect(playback.beginning.resume == .play && playback.fades.matchesBeats)
        #expect(playback.beginning.crossfade == 5 && playback.fades.next == .milliseconds(2500))
        #expect(playback.fades.pause == .milliseconds(150) && playback.fades.stop == .seconds(1))
        #expect(configuration.playback.beginning.replayGain == .album)
        #expect(playback.gains == ReplayGainSettings(preamp: -2.5, missingPreamp: 3, limitsPeaks: false))
        let format = AudioFormat(sampleRate: 48000, sample: .unknown, channels: 2)
        #expect(configuration.playback.audioOutputFormat == format)
        #expect(format.wireText == "48000:*:2")
        #expect(configuration.playback.stations.crossfade == .zero)
        #expect(configuration.playback.stations.timeout == .seconds(2))
        #expect(configuration.playback.resumeLongSongs == nil)
        #expect(configuration.playlists.hidden == [.recentlyAdded, .radio])
        #expect(
            configuration.playlists.shown == [.recentlyPlayed, .mostPlayed, .starred, .randomAlbums, .navidromeQueue])
        #expect(configuration.stations.map(\.name) == ["Radio"])
        #expect(configuration.stations.map(\.url) == ["https://radio.example.org/stream?quality=high"])
    }

    @Test("names of files have a charset with ASCII in it, which sheets follow unless their own is set")
    func charsets() throws {
        func local(_ lines: String) throws -> Configuration.Local? {
            try parse("[local]\nmusic_directory = \"/m\"\n\(lines)").local
        }
        #expect(try local("")?.filenameCharset == nil && local("")?.folders.cueSheets.charset == "windows-1252")
        let japanese = try local("filename_charset = \"cp932\"")
        #expect(japanese?.filenameCharset == "cp932" && japanese?.folders.cueSheets.charset == "cp932")
        #expect(japanese?.folders.cueSheets.tagCharset == "windows-1252")
        let both = "filename_charset = \"cp932\"\nlegacy_charset = \"euc-jp\""
        #expect(try local(both)?.folders.cueSheets.charset == "euc-jp")
        for charset in ["klingon-8", "", "utf-16", "a/b"] {
            do {
                _ = try local("filename_charset = \"\(charset)\"")
                Issue.record("\(charset) was taken")
            } catch let error as ConfigurationError {
                #expect(error.key == "local.filename_charset" && error.message.contains("iconv -l"))
            }
        }
    }

    @Test("addresses print as they are written")
    func addressText() throws {
        let texts = ["127.0.0.1:6600", "[::1]:6600", "/run/socket"]
        let listed = texts.map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(try parse("[server]\nlisten = [\(listed)]").server.listen.map(\.description) == texts)
    }

    @Test("a single address may stand without brackets")
    func singleAddress() throws {
        #expect(try parse("server.listen = \"localhost:1\"").server.listen == [.tcp(host: "localhost", port: 1)])
    }

    @Test(
        "sizes take decimal and binary units",
        arguments: [
            ("64 MiB", 67_108_864), ("500MB", 500_000_000), ("1 tib", 1_099_511_627_776), ("70000000 B", 70_000_000),
        ])
    func sizes(text: String, bytes: Int64) throws {
        #expect(try parse("[cache]\nsize = \"\(text)\"").cache.size == bytes)
    }

    @Test("impulse responses have names, by which outputs choose them as well as by a path")
    func impulseResponses() throws {
        let room = "[[impulse_response]]\nname = \"Room\"\nfile = \"~/room.wav\"\n"
        func output(_ name: String, _ response: String) -> String {
            "[[output]]\ntype = \"alsa\"\nname = \"\(name)\"\nimpulse_response = \"\(response)\"\n"
        }
        let outputs = try parse(room + output("A", "Room") + output("B", "~/other.wav")).outputs
        #expect(outputs.map(\.filters.impulseResponse) == ["/home/me/room.wav", "/home/me/other.wav"])
        #expect(outputs.map(\.filters.impulseResponseName) == ["Room", nil])
        #expect(outputs[1].presets.impulseResponses == ["Room": "/home/me/room.wav"])
        #expect(complaint(room + output("A", "Cellar")) != nil)
        #expect(complaint(room + room)?.hasPrefix("segue.toml:5: impulse_response.name: \"Room\" has another") == true)
        #expect(complaint("[[impulse_response]]\nname = \"off\"\nfile = \"/x\"")?.contains("another meaning") == true)
    }

    @Test("effects and graphs have names, by which outputs and clients choose them, or stand at an output alone")
    func plugins() throws {
        let named = """
            [[effects]]
            name = "Soft"
            elements = "volume volume=0.5"
            [[graph]]
            name = "Mix"
            filters = "amovie=/a.wav[b];[in][b]amix"

            """
        func output(_ name: String, _ keys: String) -> String {
            "[[output]]\ntype = \"alsa\"\nname = \"\(name)\"\n\(keys)\n"
        }
        let outputs = try parse(
            named + output("A", "effects = \"Soft\"\ngraph = \"Mix\"")
                + output("B", "effects = \"freeverb\"\ngraph = \"amovie=/b.wav[b];[in][b]amix\"")
                + output("C", "effects = \"off\"")
        ).outputs
        #expect(outputs[0].filters.effects?.text == "volume volume=0.5" && outputs[0].filters.graphName == "Mix")
        #expect(outputs[1].filters.graph?.text.contains("/b.wav") == true)
        #expect(outputs[2].filters.isPlain)
        // Clients come back to what they can't write.
        var filters = FilterSettings()
        #expect(filters.set("graph", to: "on", presets: outputs[1].presets) == true)
        #expect(filters.graph == outputs[1].filters.graph)
        #expect(filters.set("graph", to: "on", presets: outputs[0].presets) == false)
        #expect(complaint(output("A", "effects = \"a b\""))?.contains("sets no property") == true)
        #expect(complaint(output("A", "graph = \" \""))?.contains("no filter") == true)
        #expect(complaint("[[graph]]\nname = \"off\"\nfilters = \"anull\"")?.contains("another meaning") == true)
        #expect(complaint("[[effects]]\nname = \"A\"\nelements = \"!\"")?.contains("element is missing") == true)
    }

    @Test("outputs over the network take what they need, and have what is usual for the rest")
    func networkOutputs() throws {
        let outputs = try parse(
            """
            [[output]]
            type = "snapcast"
            host = "pi"
            stream = "Segue"
            control = false
            rooms = "groups"
            [[output]]
            type = "snapcast"
            name = "pipe"
            path = "/tmp/fifo"
            [[output]]
            type = "httpd"
            encoder = "vorbis"
            quality = 2.5
            bind_to_address = "::1"
            max_clients = 3
            max_clients_per_address = 2
            allow_origin = "https://example.org"
            always_on = true
            tags = false
            replay_gain_handler = "none"
            [[output]]
            type = "shout"
            mount = "/a.mp3"
            password = "sesame"
            encoder = "mp3"
            bitrate = 96
            port = 8001
            public = true
            tls = "auto_no_plain"
            tls_certificate = "/etc/icecast.pem"
            [[output]]
            type = "jack"
            """
        ).outputs
        #expect(outputs.map(\.type) == [.snapcast, .snapcast, .httpd, .shout, .jack])
        #expect(outputs.map(\.snapcast.host) == ["pi", "127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1"])
        #expect(outputs.map(\.snapcast.port) == [4953, 4953, 4953, 4953, 4953])
        #expect(outputs.map(\.snapcast.isControlled) == [false, true, true, true, true])
        #expect(outputs.map(\.snapcast.rooms) == [.groups, .all, .all, .all, .all])
        #expect(outputs.map(\.snapcast.stream) == ["Segue", nil, nil, nil, nil])
        #expect(outputs.map(\.path) == [nil, "/tmp/fifo", nil, nil, nil])
        #expect(outputs.map(\.encoding?.encoder) == [nil, nil, .vorbis, .mp3, nil])
        #expect(outputs.map(\.encoding?.quality) == [nil, nil, 2.5, nil, nil])
        #expect(outputs.map(\.encoding?.bitRate) == [nil, nil, nil, 96, nil])
        #expect(outputs.map(\.isAlwaysOn) == [false, false, true, false, false])
        #expect(outputs.map(\.sendsTitles) == [true, true, false, true, true])
        #expect(outputs.map(\.replayGainHandler) == [.software, .software, .none, .software, .software])
        #expect(outputs[2].httpd.address == "::1" && outputs[2].httpd.maxClients == 3)
        #expect(outputs[2].httpd.port == 8000 && outputs[2].httpd.maxClientsPerAddress == 2)
        #expect(outputs[2].httpd.allowedOrigin == "https://example.org")
        #expect(outputs[3].shout.mount == "/a.mp3" && outputs[3].shout.port == 8001)
        #expect(outputs[3].shout.password == Secret("sesame") && outputs[3].shout.isPublic)
        #expect(outputs.map(\.shout.encryption) == [.disabled, .disabled, .disabled, .required, .disabled])
        #expect(outputs[3].shout.certificates == "/etc/icecast.pem")
        #expect(!"\(outputs)".contains("sesame"))
    }

    @Test("a list of formats says what an output may get as PCM, as DSD and as DoP, in one text or in several")
    func listedFormats() throws {
        let outputs = try parse(
            """
            [[output]]
            type = "alsa"
            allowed_formats = ["96000:24:2", "*:f:*", "dsd128:*", "*:dsd:2=dop"]
            [[output]]
            type = "pulse"
            name = "Desktop"
            allowed_formats = ["96000:24:2  *:f:*"]
            """
        ).outputs
        #expect(
            outputs.map { $0.allowed.formats.map(\.wireText) } == [["96000:24:2", "*:f:*"], ["96000:24:2", "*:f:*"]])
        #expect(outputs.map { $0.dsd.nativeFormats.map(\.wireText) } == [["dsd128:*"], []])
        #expect(outputs.map { $0.dsd.dopFormats.map(\.wireText) } == [["*:dsd:2"], []])
        #expect(
            outputs.map { $0.formatAttributes["allowed_formats"] } == [
                "96000:24:2 *:f:* dsd128:* *:dsd:2=dop", "96000:24:2 *:f:*",
            ])
    }

    @Test("outputs take the keys of their type")
    func outputs() throws {
        let outputs = try parse(
            """
            [[output]]
            type = "alsa"
            name = "DAC"
            device = "hw:1"
            format = "96000:24:2"
            mixer_type = "none"
            enabled = false
            buffer_time = 500000
            [[output]]
            type = "pipewire"
            mixer_type = "hardware"
            replay_gain_handler = "mixer"
            [[output]]
            type = "pulse"
            server = "den"
            [[output]]
            type = "fifo"
            path = "~/fifo"
            [[output]]
            type = "file"
            path = "/tmp/a.wav"
            [[output]]
            type = "null"
            sync = false
            """
        ).outputs
        #expect(outputs.map(\.type) == [.alsa, .pipewire, .pulse, .fifo, .file, .null])
        #expect(outputs.map(\.name) == ["DAC", "pipewire", "pulse", "fifo", "file", "null"])
        #expect(outputs.map(\.isEnabled) == [false, true, true, true, true, true])
        #expect(outputs.map(\.mixerType) == [.none, .hardware, .software, .software, .software, .software])
        #expect(outputs.map(\.replayGainHandler) == [.software, .mixer, .software, .software, .software, .software])
        #expect(outputs.map(\.bufferMicroseconds) == [500_000, nil, nil, nil, nil, nil])
        #expect(outputs.map(\.server) == [nil, nil, "den", nil, nil, nil])
        #expect(outputs.map(\.device) == ["hw:1", nil, nil, nil, nil, nil])
        #expect(outputs.map(\.path) == [nil, nil, nil, "/home/me/fifo", "/tmp/a.wav", nil])
        #expect(outputs.map { $0.format?.wireText } == ["96000:24:2", nil, nil, nil, nil, nil])
        #expect(outputs.map(\.sync) == [true, true, true, true, true, false])
    }

    @Test("passwords stand in plain text or as a salted digest")
    func passwords() throws {
        let digits = String(repeating: "0f", count: 32)
        let passwords = try parse(
            """
            [[server.password]]
            password = "a"
            permissions = ["read", "player"]
            [[server.password]]
            hash = "sha256:salt:\(digits)"
            permissions = []
            [[server.password]]
            hash = "sha256:\(digits.uppercased())"
            permissions = ["admin"]
            """
        ).server.passwords
        let digest = [UInt8](repeating: 0x0F, count: 32)
        #expect(
            passwords.map(\.entry.check) == [
                .plain("a"), .sha256(salt: Array("salt".utf8), digest: digest), .sha256(salt: [], digest: digest),
            ])
        #expect(passwords.map(\.entry.permission) == [[.read, .player], [], [.admin]])
    }

    @Test(
        "only plain http to a public host is warned about",
        arguments: [
            ("http://127.0.0.1:4533", false), ("http://192.168.1.2", false), ("http://172.20.0.2", false),
            ("http://10.0.0.1", false), ("http://navidrome:4533", false), ("http://box.local", false),
            ("http://[::1]:4533", false), ("http://[fd00::1]", false), ("http://100.100.1.1", false),
            ("https://music.example.org", false), ("http://music.example.org", true), ("http://8.8.8.8", true),
            ("http://172.32.0.1", true), ("http://[2606:4700::1111]", true),
        ])
    func exposedAddress(url: String, isWarnedAbout: Bool) throws {
        #expect(try parse("[navidrome]\nurl = \"\(url)\"").warnings.isEmpty != isWarnedAbout)
    }
}
