import SegueConfiguration
import Testing

@Suite("Complaints")
struct ComplaintTests {
    static let unknownKeys = [
        Wrong("\n[server]\nlistne = []", "segue.toml:3: server.listne: unknown key; did you mean server.listen?"),
        Wrong("[sever]\n", "segue.toml:1: sever: unknown key; did you mean server?"),
        Wrong("zebra = 1", "segue.toml:1: zebra: unknown key"),
        Wrong("listen = []", "segue.toml:1: listen: unknown key; did you mean server.listen?"),
        Wrong(
            "[server]\nradio_timeout = 1",
            "segue.toml:2: server.radio_timeout: unknown key; did you mean playback.radio_timeout?"),
        Wrong(
            "[[output]]\ntype = \"null\"\n[[output]]\ntype = \"auto\"\nnaem = \"x\"",
            "segue.toml:5: output.naem: unknown key; did you mean output.name?"),
        Wrong(
            "[[server.password]]\npermissions = []\npassword = \"a\"\nhsah = \"\"",
            "segue.toml:4: server.password.hsah: unknown key; did you mean server.password.hash?"),
        Wrong(
            "output = [\n  { type = \"null\", name = \"a\" },\n  { type = \"null\", nmae = \"b\" },\n]",
            "segue.toml:3: output.nmae: unknown key; did you mean output.name?"),
    ]

    static let wrongTypes = [
        Wrong("server = 5", "segue.toml:1: server: expected one section, [server], found a number"),
        Wrong("[[server]]", "segue.toml:1: server: expected one section, [server], found a list"),
        Wrong(
            "[output]\ntype = \"auto\"",
            "segue.toml:1: output: expected sections in double brackets, [[output]], found a section"),
        Wrong(
            "[server]\nmax_connections = \"5\"",
            "segue.toml:2: server.max_connections: expected a whole number from 1 to 100000, found \"5\""),
        Wrong(
            "[server]\nmax_connections = 1.5",
            "segue.toml:2: server.max_connections: expected a whole number from 1 to 100000, found the number 1.5"),
        Wrong(
            "[server]\nlisten = 6600",
            "segue.toml:2: server.listen: expected a list of addresses such as [\"127.0.0.1:6600\"], found the number 6600"
        ),
        Wrong(
            "[server]\nlisten = [1]",
            "segue.toml:2: server.listen: expected a list of addresses such as "
                + "[\"127.0.0.1:6600\"], found a list"),
        Wrong(
            "[navidrome]\nscrobble = \"yes\"",
            "segue.toml:2: navidrome.scrobble: expected true or false, found \"yes\""),
        Wrong("[navidrome]\nusername = 2024-01-01", "segue.toml:2: no setting takes a date or a time"),
        Wrong("[navidrome]\nusername = [\n07:32:00]", "segue.toml:3: no setting takes a date or a time"),
        Wrong(
            "[cache]\nsize = 5",
            "segue.toml:2: cache.size: expected a size from \"64 MiB\" to \"64 TiB\" such as \"2 GiB\", found the number 5"
        ),
    ]

    static let outOfRange = [
        Wrong("[server]\nmax_connections = 0", "found the number 0"),
        Wrong("[server]\nlisten = []", "needs at least one address"),
        Wrong("[server]\nlisten = [\"localhost\"]", "has no port"),
        Wrong("[server]\nlisten = [\"[::1]\"]", "has no port"),
        Wrong("[server]\nlisten = [\"localhost:70000\"]", "outside 0 to 65535"),
        Wrong("[server]\nlisten = [\"::1:6600\"]", "\"[::1]:6600\""),
        Wrong("[server]\nlisten = [\":6600\"]", "\"0.0.0.0:6600\""),
        Wrong("[server]\nlisten = [\"a:1\", \"a:1\"]", "listed twice"),
        Wrong("[server]\nlisten = [\"/\(String(repeating: "a", count: 110))\"]", "longer than 107 bytes"),
        Wrong("[server]\nstate_directory = \"state\"", "must be an absolute path"),
        Wrong("[server]\nstate_directory = \"~you/state\"", "must be an absolute path"),
        Wrong("[server]\ndefault_permissions = [\"raed\"]", "did you mean \"read\"?"),
        Wrong(
            "[server]\nlog_level = \"warn\"", "\"trace\", \"debug\", \"info\", \"notice\", \"warning\", \"error\" or"),
        Wrong("[navidrome]\nsync_interval = 0", "seconds from 1 to 86400"),
        Wrong("[navidrome]\nurl = \"music.example.org\"", "is not an http or https address"),
        Wrong("[navidrome]\nurl = \"ftp://a\"", "is not an http or https address"),
        Wrong("[navidrome]\nurl = \"http://a/?b\"", "has a ? or # part"),
        Wrong("[navidrome]\nurl = \"http://a/#/album\"", "has a ? or # part"),
        Wrong("[navidrome]\nheaders = [\"no colon\"]", "not a proxy's header"),
        Wrong("[navidrome]\nheaders = [\"X: a\\r\\nY: b\"]", "not a proxy's header"),
        Wrong("[navidrome]\nheaders = [\"Host: a\"]", "not a proxy's header"),
        Wrong("[navidrome]\nheaders = [\"X Y: a\"]", "not a proxy's header"),
        Wrong("[navidrome]\ncertificate = \"relative.pem\"", "must be an absolute path"),
        Wrong("[navidrome]\nformat = \"MP3!\"", "a format's name"),
        Wrong("[navidrome]\nmax_bitrate = 320", "set format too"),
        Wrong("[navidrome]\npassword = \"x\"", "username: missing"),
        Wrong("[navidrome]\npassword_file = \"/nonexistent/file\"", "/nonexistent/file can't be read"),
        Wrong("[navidrome]\nmount = \"a/b\"", "without a slash"),
        Wrong("[navidrome]\nmount = \"..\"", "can't be a mount"),
        Wrong("[local]", "music_directory: missing; write music_directory = \"~/Music\""),
        Wrong("[local]\nmusic_directory = \"\"", "must be an absolute path"),
        Wrong("[local]\nmusic_directory = \"smb://me:secret@nas/music\"", "mpc mount NAME ADDRESS"),
        Wrong("[cache]\nsize = \"2 GB of songs\"", "a size from"),
        Wrong("[cache]\nsize = \"1 KiB\"", "a size from"),
        Wrong("[cache]\nsize = \"99999999999999999999 TiB\"", "a size from"),
        Wrong("[cache]\nprefetch = 21", "from 0 to 20 (songs)"),
        Wrong("[cache]\ncover_size = 4001", "from 0 to 4000 (pixels)"),
        Wrong("[cache]\ncover_space = \"1 MB\"", "a size from"),
        Wrong("[playback]\nresume_long_songs = true", "from 0 to 1440 (minutes)"),
        Wrong("[playback]\nresume = \"paused\"", "did you mean \"pause\"?"),
        Wrong("[playback]\ncrossfade = -1", "from 0 to 120 (seconds)"),
        Wrong("[playback]\nreplay_gain = \"on\"", "\"off\", \"track\", \"album\" or \"auto\""),
        Wrong("[playback]\nradio_crossfade = nan", "seconds from 0 to 30"),
        Wrong("[playback]\nradio_timeout = 1e300", "seconds from 1 to 300"),
        Wrong("[playlists]\nhide = [\"most_payed\"]", "did you mean \"most_played\"?"),
        Wrong("[playlists]\nhide = true", "a list of \"recently_added\", "),
        Wrong("[[station]]\nname = \"a\"", "url: missing"),
        Wrong("[[station]]\nname = \"a\\nb\"\nurl = \"http://a\"", "control character"),
        Wrong("[[station]]\nname = \"a\"\nurl = \"http://a\"\npicture = \"http://\"", "not an http or https address"),
        Wrong("[[station]]\nname = \"a\"\nurl = \"http://a\"\nhomepage = \"a.org\"", "not an http or https address"),
        Wrong("station = [{name=\"a\",url=\"http://a\"},{name=\"a\",url=\"http://b\"}]", "another station"),
    ]

    static let outputs = [
        Wrong("[[output]]\nname = \"a\"", "segue.toml:1: output.type: missing; write type = \"auto\""),
        Wrong("[[output]]\ntype = \"shout\"\npassword = \"x\"", "segue.toml:1: output.mount: missing"),
        Wrong("[[output]]\ntype = \"shout\"\nmount = \"/a\"", "output.password: missing"),
        Wrong("[[output]]\ntype = \"shout\"\npassword = \"x\"\nmount = \"a\"", "can't be a mount"),
        Wrong(
            "[[output]]\ntype = \"httpd\"\nbitrate = 128\nquality = 4",
            "segue.toml:4: output.quality: bitrate and quality can't both be set"),
        Wrong("[[output]]\ntype = \"httpd\"\nencoder = \"acc\"", "output.encoder: "),
        Wrong("[[output]]\ntype = \"httpd\"\ndevice = \"x\"", "does nothing for type \"httpd\""),
        Wrong("[[output]]\ntype = \"null\"\nreplay_gain_handler = \"mixer\"", "needs mixer_type = \"hardware\""),
        Wrong("[[output]]\ntype = \"pulse\"\ndop = true", "only alsa, fifo, pipe use it"),
        Wrong("[[output]]\ntype = \"pipewire\"\ndsd = true", "only alsa uses it"),
        Wrong("[[output]]\ntype = \"pulse\"\nallowed_formats = [\"dsd64:2\"]", "only alsa plays it as it is"),
        Wrong("[[output]]\ntype = \"alsa\"\nallowed_formats = [\"dsd65:2\"]", "is no format for DSD"),
        Wrong("[[output]]\ntype = \"alsa\"\nallowed_formats = [\"44100:16:2 dsd65:2=dop\"]", "is no format for DoP"),
        Wrong("[[output]]\ntype = \"alsa\"\nbuffer_time = 1", "from 20000 to 5000000"),
        Wrong("[[output]]\ntype = \"jack\"\nbuffer_time = 150000", "only alsa, pulse use it"),
        Wrong("[[output]]\ntype = \"pulse\"\nsink = \"x\"", "called device here"),
        Wrong("[[output]]\ntype = \"recorder\"", "is \"file\" here"),
        Wrong(
            "[[output]]\ntype = \"shout\"\nmount = \"/a\"\npassword = \"x\"\ntls = \"rfc2817\"", "write \"rfc2818\""),
        Wrong(
            "[[output]]\ntype = \"shout\"\nmount = \"/a\"\npassword = \"x\"\ntls = \"on\"",
            "expected \"disabled\", \"auto\", \"auto_no_plain\" or \"rfc2818\""),
        Wrong(
            "[[output]]\ntype = \"shout\"\nmount = \"/a\"\npassword = \"x\"\ntls_certificate = \"/a\"",
            "output.tls_certificate: does nothing without encryption"),
        Wrong("[[output]]\ntype = \"httpd\"\ntls = \"auto\"", "does nothing for type \"httpd\"; only shout uses it"),
        Wrong("[[output]]\ntype = \"snapcast\"\nrooms = \"group\"", "did you mean \"groups\""),
        Wrong("[[output]]\ntype = \"auto\"\nroute = \"0>8\"", "segue.toml:3: output.route: \"0>8\" names a channel"),
        Wrong("[[output]]\ntype = \"auto\"\nroute = \"0>1, 0>1\"", "stands twice"),
        Wrong("[[output]]\ntype = \"auto\"\nroute = \"left>0\"", "write pairs of channels such as"),
        Wrong("[[output]]\ntype = \"auto\"\nroute = 5", "expected pairs of channels"),
        Wrong(
            "[[output]]\ntype = \"alsa\"\nformat = \"*:*:2\"\nroute = \"0>2, 1>3\"",
            "names channel 3, but the format has 2; they count from 0"),
        Wrong("[[output]]\ntype = \"alsa\"\nchannel_map = \"-1,0\"", "called route here"),
        Wrong("[[output]]\ntype = \"asla\"", "did you mean \"alsa\"?"),
        Wrong("[[output]]\ntype = \"fifo\"", "path: missing"),
        Wrong("[[output]]\ntype = \"file\"\npath = \"a.wav\"", "must be an absolute path"),
        Wrong(
            "[[output]]\ntype = \"null\"\ndevice = \"a\"", "does nothing for type \"null\"; only alsa, pulse, pipewire"),
        Wrong("[[output]]\ntype = \"alsa\"\nsync = true", "does nothing for type \"alsa\"; only null uses it"),
        Wrong("[[output]]\ntype = \"alsa\"\nformat = \"44100:16\"", "rate:bits:channels"),
        Wrong("[[output]]\ntype = \"alsa\"\nformat = \"44100:8:2\"", "bits 16, 24, 32 or f"),
        Wrong("[playback]\naudio_output_format = \"*:24\"", "rate:bits:channels"),
        Wrong("[playback]\naudio_output_format = \"*:*:9\"", "channels 1 to 8"),
        Wrong("[[output]]\ntype = \"auto\"\nmixer_type = \"hardware\"", "only for alsa, pulse and pipewire"),
        Wrong("[[output]]\ntype = \"auto\"\nname = \"\"", "must not be empty"),
        Wrong("output = [{type=\"auto\"},{type=\"auto\"}]", "is the name of another output too"),
    ]

    static let mounts = [
        Wrong(
            "[navidrome]\n[local]\nmusic_directory = \"/m\"",
            "segue.toml:1: navidrome.mount: must be set when [local] is used too, such as mount = \"navidrome\". "
                + "For a folder alone, remove the line [navidrome]"),
        Wrong(
            "[navidrome]\nmount = \"a\"\n[local]\nmusic_directory = \"/m\"",
            "segue.toml:3: local.mount: must be set when [navidrome] is used too, such as mount = \"local\""),
        Wrong(
            "[navidrome]\nmount = \"a\"\n[local]\nmusic_directory = \"/m\"\nmount = \"a\"",
            "segue.toml:5: local.mount: \"a\" is navidrome.mount already; choose another name"),
    ]

    static let passwords = [
        Wrong("permissions = [\"read\"]", "server.password.password: missing"),
        Wrong("password = \"a\"", "server.password.permissions: missing"),
        Wrong("password = \"\"\npermissions = []", "server.password.password: must not be empty"),
        Wrong("password = \"a\"\nhash = \"sha256:00\"\npermissions = []", "hash"),
        Wrong("hash = \"md5:00\"\npermissions = []", "64 hexadecimal digits, found a text"),
        Wrong("hash = \"sha256:00\"\npermissions = []", "64 hexadecimal digits, found a text"),
    ]

    @Test("unknown keys are named with their line and the nearest key", arguments: unknownKeys)
    func unknownKey(_ wrong: Wrong) { #expect(complaint(wrong.text) == wrong.says) }

    @Test("wrong types name what is expected and what was found", arguments: wrongTypes)
    func wrongType(_ wrong: Wrong) { #expect(complaint(wrong.text) == wrong.says) }

    @Test("mounts are checked across sections", arguments: mounts)
    func mount(_ wrong: Wrong) { #expect(complaint(wrong.text) == wrong.says) }

    @Test("values out of range say what would be right", arguments: outOfRange + outputs)
    func range(_ wrong: Wrong) throws {
        let text = try #require(complaint(wrong.text))
        #expect(text.contains(wrong.says), "\(text)")
        #expect(!text.contains("\n"))
    }

    @Test("passwords are checked", arguments: passwords)
    func password(_ wrong: Wrong) throws {
        let text = try #require(complaint("[[server.password]]\n" + wrong.text))
        #expect(text.contains(wrong.says), "\(text)")
    }

    @Test("the first wrong line is reported, whatever the section")
    func firstLine() {
        let text = "[playback]\ncrossfade = -1\n[cache]\nprefetch = -1\n[server]\nmax_connections = 0"
        #expect(complaint(text)?.hasPrefix("segue.toml:2: playback.crossfade") == true)
    }

    @Test(
        "broken TOML names the line and does not repeat it",
        arguments: [
            "[server]\nlisten = [\"a:1\"", "[server\n", "a = 1\na = 2", "[navidrome]\npassword = hunter2\n", "=\n",
            "[navidrome]\npassword = \"hunter2\n", "[a]\n[a]\n",
        ])
    func syntax(text: String) throws {
        let says = try #require(complaint(text))
        #expect(says.hasPrefix("segue.toml:"))
        #expect(says.contains("not valid TOML"))
        #expect(!says.contains("hunter"))
        #expect(!says.contains("\n"))
    }

    @Test("a NUL byte is refused with its line")
    func nulByte() {
        #expect(complaint("[server]\n# \u{0}\n") == "segue.toml:2: a NUL byte is not allowed here")
    }

    @Test("a byte order mark does no harm")
    func byteOrderMark() throws {
        #expect(try parse("\u{FEFF}[cache]\nprefetch = 1").cache.prefetch == 1)
    }
}
