import LibraryIndex
import MPDProtocol
import MusicModel
import ServerLoop
import Synchronization
import Testing
import UserLibrary

@testable import MPDCommands

@Suite("Playlist files")
struct PlaylistFileTests {
    private typealias Entry = PlaylistFile.Entry

    private func entries(_ text: String, _ format: PlaylistFile.Format) -> [Entry]? {
        PlaylistFile(Array(text.utf8), format: format)?.entries
    }

    @Test("M3U: names and lengths count only behind the header, and white space never does")
    func m3u() {
        let lines = "#EXTINF:12,A - B\r\n  one.mp3 \r\n\n# a comment\n\thttp://h/x?y=1#z\n"
        #expect(entries(lines, .m3u) == [Entry(uri: "one.mp3"), Entry(uri: "http://h/x?y=1#z")])
        #expect(
            entries("\u{FEFF}#EXTM3U\r\n" + lines + "#EXTINF:-1,\nlast\n", .m3u) == [
                Entry(uri: "one.mp3", tags: [TagValue(.name, "A - B")], duration: .seconds(12)),
                Entry(uri: "http://h/x?y=1#z"), Entry(uri: "last"),
            ])
        #expect(entries("#EXTM3U\n#EXTINF:x,Title\na\n#EXTINF:5\nb", .m3u) == [Entry(uri: "a"), Entry(uri: "b")])
        #expect(entries("", .m3u) == [])
    }

    @Test("Entries that are longer than any path are left out, and long titles are cut")
    func long() {
        let long = String(repeating: "x", count: 5000)
        #expect(entries("a\n\(long)\nb", .m3u) == [Entry(uri: "a"), Entry(uri: "b")])
        #expect(entries("#EXTM3U\n#EXTINF:1,\(long)\na", .m3u)?.first?.tags.first?.value.count == 4096)
    }

    @Test("PLS: numbers decide the order, and without a count there is no list")
    func pls() {
        let text = """
            [Other]
            File1=no
            [Playlist]
            NumberOfEntries=3
            ; comment
            File2 = http://h/2
            title2=Two
            Length2=-1
            File1=one.ogg
            Length1=61
            File4=beyond
            [Next]
            File3=no
            """
        #expect(
            entries(text, .pls) == [
                Entry(uri: "one.ogg", duration: .seconds(61)),
                Entry(uri: "http://h/2", tags: [TagValue(.title, "Two")]),
            ])
        #expect(entries("[playlist]\nFile1=a\n", .pls) == nil)
        #expect(entries("File1=a\nNumberOfEntries=1\n", .pls) == nil)
        #expect(entries("[playlist]\nNumberOfEntries=0\nFile1=a\n", .pls) == [])
    }

    @Test("Feeds: titles, authors, dates and lengths of what can be played, in the feed's order")
    func feeds() {
        let text = """
            <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY big "boom">]>
            <rss xmlns:itunes="x"><channel><title>Talks &amp; Tea</title><image><title>No</title></image>
            <item><title><![CDATA[One <b>]]></title><itunes:author>Ada</itunes:author>
              <description>long</description><pubDate>Fri, 10 Jul 2026 05:00:00 +0200</pubDate>
              <itunes:duration>1:02:03</itunes:duration><enclosure length='9' url = "http://h/1.mp3?a=1&amp;b=2"/></item>
            <item><title>A letter</title><link>http://h/letter</link></item>
            <item><title>A picture</title><enclosure type="image/png" url="http://h/p.png"></enclosure></item>
            <item><enclosure url="two.ogg" type="audio/ogg"/><pubDate>yesterday</pubDate>
              <itunes:duration>99999999999</itunes:duration></item>
            <item><enclosure url="http://h/&#10;file: x"/></item>
            </channel></rss>
            """
        #expect(
            entries(text, .rss) == [
                Entry(
                    uri: "http://h/1.mp3?a=1&b=2",
                    tags: [
                        TagValue(.artist, "Ada"), TagValue(.album, "Talks & Tea"), TagValue(.title, "One <b>"),
                        TagValue(.date, "2026-07-10"),
                    ], duration: .seconds(3723)),
                Entry(uri: "two.ogg", tags: [TagValue(.album, "Talks & Tea")]),
            ])
        let atom = """
            <feed><title>Night</title><entry><title>A</title><published>2025-01-02T03:04:05Z</published>
            <link rel="alternate" href="http://h/page"/><link rel="enclosure" href="http://h/a.opus"/></entry></feed>
            """
        #expect(
            entries(atom, .rss) == [
                Entry(
                    uri: "http://h/a.opus",
                    tags: [TagValue(.album, "Night"), TagValue(.title, "A"), TagValue(.date, "2025-01-02")])
            ])
        let changed = """
            <feed><updated>2020-01-01T00:00:00Z</updated>
            <entry><link rel="enclosure" href="a"/><updated>2025-03-04T05:06:07Z</updated></entry>
            <entry><link rel="enclosure" href="b"/><updated>2025-03-04T05:06:07Z</updated>
            <published>2024-05-06T00:00:00Z</published></entry><entry><link rel="enclosure" href="c"/></entry></feed>
            """
        #expect(
            entries(changed, .rss) == [
                Entry(uri: "a", tags: [TagValue(.date, "2025-03-04")]),
                Entry(uri: "b", tags: [TagValue(.date, "2024-05-06")]), Entry(uri: "c", tags: []),
            ])
        #expect(entries("<html><item><enclosure url='http://h/a'/></item></html>", .rss) == nil)
        #expect(entries("<rss><channel><item>", .rss) == nil)
        #expect(entries("<rss><channel><item><title>&big;</title></item></channel></rss>", .rss) == nil)
        #expect(entries("<rss/>", .rss) == [])
        let russian =
            "<?xml version='1.0' encoding='windows-1251'?><rss><channel><item><title>".utf8
            + [0xCC, 0xE8, 0xF0] + "</title><enclosure url='http://h/m'/></item></channel></rss>".utf8
        #expect(PlaylistFile(Array(russian), format: .rss)?.entries.first?.tags == [TagValue(.title, "Мир")])
    }

    @Test("Attributes are found whatever stands around them, and malformed ones are none")
    func attributes() throws {
        let expected: [(element: String, value: String?)] = [
            ("<a b=\"1\" url='x y'/>", "x y"), ("<a url = \"&lt;\">", "<"), ("<a b url='c'>", "c"),
            ("<a url=>", nil), ("<a url>", nil), ("<a =url='c'>", "c"), ("<a nourl='c'>", nil), ("<a>", nil),
            ("<a url='&nope;'>", nil), ("<a b=\"url='c'\">", nil), ("<a b='' url=''>", ""),
        ]
        for (element, value) in expected {
            var reader = XMLReader(element)
            let event = try reader.next()
            #expect(event == .start("a"))
            #expect(reader.attribute("url") == value, "\(element)")
        }
    }

    @Test("A feed is known by its type or its name; other XML by its name")
    func feedTypes() {
        typealias Format = PlaylistFile.Format
        #expect(Format(mimeType: "application/rss+xml; charset=utf-8", url: "http://h/feed") == .rss)
        #expect(Format(mimeType: "text/xml", url: "http://h/feed") == .rss)
        #expect(Format(mimeType: "text/xml", url: "http://h/list.xspf") == .xspf)
        #expect(Format(mimeType: nil, url: "http://h/podcast.rss?x=.m3u") == .rss)
        #expect(Format.rss.maxSize > Format.m3u.maxSize)
    }

    @Test("XSPF: what stands behind a track's location is read; documents that aren't well-formed are none")
    func xspf() {
        let text = """
            <?xml version="1.0"?><!DOCTYPE playlist [<!ENTITY x "y">]>
            <playlist version='1' xmlns="http://xspf.org/ns/0/"><title>List</title><!-- <track> --><trackList>
            <track><title>before</title><location>a &amp; b.flac</location><title>T &#x263A;</title>
            <creator><![CDATA[A<B]]></creator><extension><title>no</title></extension><album>X</album></track>
            <track><title>nowhere</title></track><track><location a="/>">c.ogg</location><album/></track>
            </trackList></playlist>
            """
        #expect(
            entries(text, .xspf) == [
                Entry(
                    uri: "a & b.flac",
                    tags: [TagValue(.title, "T \u{263A}"), TagValue(.artist, "A<B"), TagValue(.album, "X")]),
                Entry(uri: "c.ogg"),
            ])
        for bad in ["", "text", "<playlist>", "<a></b>", "<a/><b/>", "<a>&x;</a>", "<a", "<a><!--</a>", "<a>]]></a>x"] {
            #expect(entries(bad, .xspf) == nil, "\(bad)")
        }
        let deep = String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)
        #expect(entries(deep, .xspf) == nil)
    }

    @Test("Cue sheets name parts of files, and are read in the charset that is configured")
    func cue() {
        let text =
            Array("FILE a.flac WAVE\nTRACK 01 AUDIO\nTITLE \"".utf8) + [0xCC, 0xE8, 0xF0]
            + Array("\"\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nREM REPLAYGAIN_TRACK_GAIN -3\nINDEX 01 01:00:00".utf8)
        #expect(
            PlaylistFile(text, format: .cue, charset: "windows-1251")?.entries == [
                Entry(
                    uri: "a.flac", tags: [TagValue(.track, "01"), TagValue(.title, "Мир")],
                    range: SongRange(start: .zero, end: .seconds(60))),
                Entry(
                    uri: "a.flac", tags: [TagValue(.track, "02")], range: SongRange(start: .seconds(60), end: nil),
                    replayGain: ReplayGain(trackGain: -3)),
            ])
    }

    @Test("ASX is read as it is found, well-formed or not")
    func asx() {
        let text = """
            <ASX version = "3.0"><Title>Station</Title>
            <entry><Ref href = "http://h/a?b=1&amp;c=2"/><REF HREF="http://h/second"/><title>A &amp; B</title>
            <author>Ada</author></entry>
            <Entry><ref HREF='http://h/d'></Entry><entry><title>nothing</title></entry>
            </asx>
            """
        #expect(
            entries(text, .asx) == [
                Entry(uri: "http://h/a?b=1&c=2", tags: [TagValue(.title, "A & B"), TagValue(.artist, "Ada")]),
                Entry(uri: "http://h/d"),
            ])
        #expect(entries("<html><ref href='http://h/a'></html>", .asx) == nil)
        #expect(entries("<asx><entry><ref href=", .asx) == [])
    }

    @Test("A server's type decides, then the ending of the path")
    func formats() {
        #expect(PlaylistFile.Format(mimeType: "audio/x-scpls; charset=utf-8", url: "http://h/x.m3u") == .pls)
        #expect(PlaylistFile.Format(mimeType: "text/plain", url: "http://h/x.M3U8?a=/b.pls#c") == .m3u)
        #expect(PlaylistFile.Format(mimeType: nil, url: "http://h/x.xspf") == .xspf)
        #expect(PlaylistFile.Format(mimeType: "audio/mpeg", url: "http://h.m3u/stream") == nil)
        #expect(PlaylistFile.Format(path: "a/.m3u") == nil)
    }

    @Test("Dot segments are carried out, and those that lead out of the library vanish")
    func dotSegments() {
        for (path, expected) in [
            ("a/b", "a/b"), ("a/./b", "a/b"), ("a/../b", "b"), ("../b", "b"), ("a/b/../../c", "c"),
            ("http://h/a/../b", "http://h/b"),
        ] { #expect(path.withoutDotSegments == expected) }
    }

    private func desk(_ files: [String: String]) async throws -> Desk {
        try await ImaginaryFiles(files).desk()
    }

    @Test("Playlists of the music folder are listed and loaded, their paths counting from where they lie")
    func folder() async throws {
        let desk = try await desk([
            "/srv/music/Café/list.m3u":
                "Straße.flac\n../root.flac\n/srv/music/root.flac\nnope.mp3\nhttp://h/x\n/etc/passwd\n"
        ])
        #expect(
            await desk.ask("listplaylist Café/list.m3u") == [
                "file: Café/Straße.flac", "file: root.flac", "file: root.flac", "file: Café/nope.mp3",
                "file: http://h/x", "file: /etc/passwd", "OK",
            ])
        #expect(await desk.ask("listplaylist Café/list.m3u 1:2") == ["file: root.flac", "OK"])
        let titles = await desk.ask("listplaylistinfo Café/list.m3u").filter { $0.hasPrefix("Title: ") }
        #expect(titles == ["Title: ÉCLAIR Straße", "Title: Root", "Title: Root"])
        #expect(await desk.ask("playlistlength Café/list.m3u") == ["songs: 6", "playtime: 30", "OK"])
        #expect(await desk.ask("load Café/list.m3u 1: 0") == ["OK"])
        #expect(await desk.ask("playlist") == ["0:file: root.flac", "1:file: root.flac", "2:file: http://h/x", "OK"])
        #expect(await desk.ask("status").contains("lastloadedplaylist: Café/list.m3u"))
        #expect(
            await desk.ask("searchplaylist Café/list.m3u \"(title == 'root')\" window 1:2").last(where: {
                $0.hasPrefix("Pos")
            }) == "Pos: 2")
        #expect(await desk.ask("load Café/nope.m3u") == ["ACK [50@0] {load} No such playlist"])
        #expect(await desk.ask("load Café/Straße.flac") == ["ACK [50@0] {load} No such playlist"])
        #expect(await desk.ask("load ../x.m3u") == ["ACK [2@0] {load} Bad relative path"])
        try await desk.close()
    }

    @Test("Playlists of web servers bring titles, and their passwords are never shown")
    func server() async throws {
        let url = "http://user:secret@h/dir/list.pls"
        let desk = try await desk([
            url:
                "[playlist]\nNumberOfEntries=3\nFile1=http://u:p@h/radio\nTitle1=Radio\nLength1=70\nFile2=a.mp3\nFile3=root.flac\n"
        ])
        #expect(
            await desk.ask("listplaylist \"\(url)\"") == [
                "file: http://h/radio", "file: http://h/dir/a.mp3", "file: http://h/dir/root.flac", "OK",
            ])
        #expect(await desk.ask("listplaylistinfo \"\(url)\"").prefix(2) == ["file: http://h/radio", "Title: Radio"])
        #expect(await desk.ask("playlistlength \"\(url)\"") == ["songs: 3", "playtime: 70", "OK"])
        #expect(await desk.ask("load \"\(url)\" 0:1") == ["OK"])
        #expect(await desk.ask("status").contains("lastloadedplaylist: http://h/dir/list.pls"))
        #expect(await desk.ask("playlistinfo").contains("Title: Radio"))
        #expect(await desk.ask("load http://h/none.pls") == ["ACK [50@0] {load} No such playlist"])
        #expect(await desk.ask("load foo://h/none.pls") == ["ACK [5@0] {load} Unrecognized URI"])
        try await desk.close()
    }

    @Test("Playlists of web servers need permission to add, and must be playlists where they are found")
    func hostileServer() async throws {
        let lines = "File: secret\n"
        let desk = try await desk([
            "http://h/moved.m3u": lines, "http://h/page.m3u": lines, "http://h/list.m3u": "http://u:a@b@h/x\n",
        ])
        for url in ["http://h/moved.m3u", "http://h/page.m3u"] {
            #expect(await desk.ask("listplaylist \(url)") == ["ACK [50@0] {listplaylist} No such playlist"])
        }
        #expect(await desk.ask("listplaylist http://h/list.m3u") == ["file: http://h/x", "OK"])
        await ServerActor.run { desk.client.permission = .read }
        for command in ["listplaylist", "listplaylistinfo", "playlistlength"] {
            #expect(
                await desk.ask("\(command) http://h/list.m3u") == [
                    "ACK [4@0] {\(command)} you don't have permission to load playlists of web servers"
                ])
        }
        try await desk.close()
    }

    @Test("A playlist of nothing but line ends, or of too many entries, takes no more than its share")
    func sizes() throws {
        let many = Array(String(repeating: "a\n", count: 500_000).utf8)
        #expect(PlaylistFile(many, format: .m3u)?.entries.count == PlaylistFile.entryLimit)
        let empty = Array(("[playlist]\nnumberofentries=9\n" + String(repeating: "=\n", count: 500_000)).utf8)
        #expect(PlaylistFile(empty, format: .pls)?.entries.isEmpty == true)
    }

    @Test("A folder of the music folder is listed with all its files")
    func listFiles() async throws {
        let desk = try await desk([:])
        #expect(
            await desk.ask("listfiles Café") == [
                "file: Straße.flac", "size: 1000", "Last-Modified: 2001-09-09T01:46:47Z", "file: cover.png", "size: 5",
                "Last-Modified: 1970-01-01T00:00:00Z", "directory: sub", "Last-Modified: 1970-01-01T00:00:00Z", "OK",
            ])
        #expect(
            await desk.ask("listfiles nope") == [
                "ACK [52@0] {listfiles} Failed to open \"nope\": No such file or directory"
            ])
        try await desk.close()
    }

    @Test("Playlist files stand behind the songs of their directories")
    func listing() async throws {
        let desk = try await Desk()
        let library = await desk.context.library
        let files = [
            FoundPlaylistFile(path: "Café/b.m3u", source: "/x/b", modified: 0),
            FoundPlaylistFile(path: "Café/a.pls", source: "/x/a", modified: 1),
            FoundPlaylistFile(path: "top.xspf", source: "/x/top", modified: 2),
        ]
        #expect(try await library.index.replacePlaylistFiles(files, mount: ""))
        #expect(try await library.index.replacePlaylistFiles(files, mount: "") == false)
        #expect(
            await desk.ask("listall Café") == [
                "directory: Café", "file: Café/Straße.flac", "playlist: Café/a.pls", "playlist: Café/b.m3u", "OK",
            ])
        #expect(
            await desk.ask("lsinfo Café").suffix(5) == [
                "playlist: Café/a.pls", "Last-Modified: 1970-01-01T00:00:01Z", "playlist: Café/b.m3u",
                "Last-Modified: 1970-01-01T00:00:00Z", "OK",
            ])
        #expect(await desk.ask("lsinfo").contains("playlist: top.xspf"))
        #expect(try await library.index.replacePlaylistFiles([], mount: "", below: "Café"))
        #expect(await desk.ask("listallinfo").filter { $0.hasPrefix("playlist: ") } == ["playlist: top.xspf"])
        try await desk.close()
    }

    @Test("A folder that holds nothing but a playlist is there, and goes with it")
    func folderOfPlaylists() async throws {
        let desk = try await Desk()
        let index = await desk.context.library.index
        let file = FoundPlaylistFile(path: "Lists/Deep/a.m3u", source: "/x/a", modified: 5)
        #expect(try await index.replacePlaylistFiles([file], mount: ""))
        #expect(
            await desk.ask("listallinfo Lists") == [
                "directory: Lists", "Last-Modified: 1970-01-01T00:00:05Z", "directory: Lists/Deep",
                "Last-Modified: 1970-01-01T00:00:05Z", "playlist: Lists/Deep/a.m3u",
                "Last-Modified: 1970-01-01T00:00:05Z", "OK",
            ])
        #expect(await desk.ask("lsinfo").contains("directory: Lists"))
        #expect(await desk.ask("lsinfo Lists/Deep").first == "playlist: Lists/Deep/a.m3u")
        #expect(await desk.ask("add Lists") == ["OK"])
        #expect(try await index.replacePlaylistFiles([], mount: ""))
        #expect(await desk.ask("lsinfo Lists") == ["ACK [50@0] {lsinfo} No such directory"])
        #expect(await desk.ask("lsinfo").contains("directory: Lists") == false)
        try await desk.close()
    }
}
