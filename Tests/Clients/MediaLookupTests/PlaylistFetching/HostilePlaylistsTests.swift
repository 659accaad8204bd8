import MPDCommands
import MPDProtocol
import MusicModel
import NetworkAddresses
import TestSupport
import Testing

@testable import MediaLookup

/// Whatever a station's server sends for a playlist, a client gets streams of the web or a sentence, and no other
/// server is asked for anything that the station alone could have named.
@Suite("Hostile playlists of the web", .serialized, .timeLimit(.minutes(10)))
struct HostilePlaylistsTests {
    /// What the system takes for a client that has stopped reading: the buffers of both ends.
    private static let buffers = 16 << 20
    private static let maxBytes = 1 << 20

    private func withServer(_ body: (RawServer) async throws -> Void) async throws {
        let server = try await RawServer.start()
        try await body(server)
        await server.stop()
    }

    private static func playlists(timeout: Duration = .seconds(600)) -> RemotePlaylists {
        var hosts = PlaylistHosts(allowed: HostList(names: ["127.0.0.1"], ranges: []))
        // No name server is asked.
        hosts.resolve = { host in [IPAddress(host)].compactMap { $0 } }
        return RemotePlaylists(hosts: hosts, timeout: timeout)
    }

    /// Reads a playlist, and expects a sentence or none.
    private func read(
        _ name: String, _ url: String, _ playlists: RemotePlaylists = Self.playlists()
    ) async -> AckError? {
        do {
            let answer = try await playlists.read(url, mayBePrivate: true) { _, _ in Self.maxBytes }
            #expect(answer?.playlist.bytes.count ?? 0 <= Self.maxBytes, "\(name)")
        } catch let error as AckError {
            let controls = error.message.unicodeScalars.filter { $0.properties.generalCategory == .control }
            #expect(error.message.utf8.count <= 200 && controls.isEmpty, "\(name): \(error)")
            return error
        } catch {
            Issue.record("\(name): \(error)")
        }
        return nil
    }

    // MARK: HTTP

    @Test("HTTP that is none ends in a sentence", arguments: HTTPAttack.finite + HTTPAttack.endless)
    func badHTTP(attack: HTTPAttack) async throws {
        try await withServer { server in
            server.answer(attack.answer)
            _ = await read(attack.name, "\(server.url)/list.m3u")
            #expect(server.sent <= Self.maxBytes + Self.buffers && server.requests.count == 1)
            try await eventually("the last connection's end") { server.connectionCount == 0 }
        }
    }

    @Test("an answer in pieces of a byte is given up by their number")
    func pieces() async throws {
        try await withServer { server in
            let chunks = Array(String(repeating: "1\r\n#\r\n", count: 100).utf8)
            server.answer(.raw(["Transfer-Encoding: chunked"], then: .repeats(chunks)))
            let error = await read("pieces", "\(server.url)/list.m3u")
            #expect(error?.message == "The server of the playlist sends it in pieces of a few bytes, or too slowly")
        }
    }

    @Test("a server that says nothing of use, or drips, is given up when the time is over", arguments: HTTPAttack.slow)
    func slow(attack: HTTPAttack) async throws {
        let playlists = Self.playlists(timeout: .milliseconds(100))
        try await withServer { server in
            let drips = RawServer.Answer.raw(["Content-Length: 60000"], then: .drips([0x20]))
            for answer in [attack.answer, drips] {
                server.answer(answer)
                let error = await read(attack.name, "\(server.url)/list.m3u", playlists)
                #expect(error?.message == "The server of the playlist takes too long to answer")
            }
            try await eventually("the last connection's end") { server.connectionCount == 0 }
        }
    }

    // MARK: Elsewhere

    @Test(
        "a redirection to an odd place ends in a sentence",
        arguments: [
            "file:///etc/passwd", "gopher://127.0.0.1/x", "rtsp://127.0.0.1:9/x", "ftp://127.0.0.1:9/x",
            "data:audio/mpeg;base64,AAAA", "//127.0.0.1:9/x", String(repeating: "/live", count: 4000), "\u{1b}[2J",
            "http://", "smb://x/y", "",
        ])
    func oddPlaces(place: String) async throws {
        try await withServer { server in
            server.answer(.page([], ["Location: \(place)"], status: "302 Found"))
            for url in [server.url, server.url.replacing("//", with: "//ada:secret@")] {
                #expect(await read(place, "\(url)/list.m3u") != nil)
                #expect(server.requests.count <= 2 * 6)
            }
        }
    }

    @Test("a playlist that leads into a private network brings nothing of it", arguments: [301, 302, 303, 307, 308])
    func inside(status: Int) async throws {
        let inside = try await RawServer.start()
        try await withServer { server in
            // The station is allowed by its name; the address that it leads to, nothing has allowed.
            var hosts = PlaylistHosts(allowed: HostList(names: ["station.example"], ranges: []))
            hosts.resolve = { _ in [IPAddress("127.0.0.1")].compactMap { $0 } }
            let playlists = RemotePlaylists(hosts: hosts)
            server.answer(.page([], ["Location: \(inside.url)/admin"], status: "\(status) Found"))
            let error = await #expect(throws: AckError.self) {
                try await playlists.read("http://station.example:\(server.port)/x.pls", mayBePrivate: false) { _, _ in
                    Self.maxBytes
                }
            }
            #expect(error?.code == .permission && server.requests.count == 1)
        }
        #expect(inside.requests.isEmpty)
        await inside.stop()
    }

    @Test("redirections without an end come to one", arguments: ["", "ada:secret@"])
    func endless(login: String) async throws {
        try await withServer { server in
            server.answer { .page([], ["Location: \($0.path)x"], status: "307 Again") }
            let error = await read("redirections", "http://\(login)127.0.0.1:\(server.port)/list.m3u")
            #expect(error?.message == "The server of the playlist redirects too often")
            #expect(server.requests.count == 6)
        }
    }

    @Test("playlists that name each other are read eight times at the most, and name twenty streams at the most")
    func circles() async throws {
        try await withServer { server in
            let url = server.url
            server.answer { request in
                switch request.path {
                case "/a.m3u":
                    .page(Array(String(repeating: "\(url)/b.pls\n", count: 50).utf8), type: "audio/x-mpegurl")
                default:
                    .page(
                        Array(
                            """
                            [playlist]
                            File1=\(url)/a.m3u
                            File2=\(url)/b.pls
                            NumberOfEntries=2147483647

                            """.utf8), type: "audio/x-scpls")
                }
            }
            let resolver = StreamResolver(playlists: Self.playlists())
            let streams = await resolver.streams(inPlaylist: "\(url)/a.m3u") ?? []
            #expect(streams.count <= 20 && server.requests.count <= 8)
        }
    }

    @Test(
        "addresses that are odd are none, or lead to a sentence",
        arguments: [
            "http://127.0.0.1:99999/x", "http://127.0.0.1:0/x", "http://[::g/x", "http://ada:b@c@127.0.0.1:1/x",
            "http://%00/x",
            String(repeating: "http://a", count: 500), "http://127.0.0.1:1/\\r\\nX: y", "http:///x",
            "http://127.0.0.1:1/" + String(repeating: "%2e", count: 3000), "https://127.0.0.1:1/x", "http://x\u{7f}/",
            "http://127.0.0.1:1/\r\nX: y", "", "http://",
        ])
    func oddAddresses(url: String) async throws { #expect(await read(url, url) != nil) }

    // MARK: What is in them

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static let laughs =
        "<?xml version=\"1.0\"?>\n<!DOCTYPE playlist [\n<!ENTITY a \"lol\">\n"
        + zip("bcdefghij", "abcdefghi").map { "<!ENTITY \($0) \"\(repeated("&\($1);", 10))\">\n" }.joined()
        + "]>\n<playlist xmlns=\"http://xspf.org/ns/0/\"><trackList><track><location>&j;</location><title>&j;</title>"
        + "</track></trackList></playlist>"

    private static let lists: [(name: String, type: String, text: String)] = [
        ("laughs.xspf", "application/xspf+xml", laughs), ("laughs.rss", "application/rss+xml", laughs),
        ("deep.xspf", "application/xspf+xml", repeated("<a>", 100_000)),
        ("lines.m3u", "audio/x-mpegurl", repeated("http://127.0.0.1:9/x\n", 60_000)),
        ("comments.m3u", "audio/x-mpegurl", repeated("#\n", 100_000)),
        ("long.m3u", "audio/x-mpegurl", repeated("h", 1 << 20)),
        (
            "count.pls", "audio/x-scpls",
            "[playlist]\nNumberOfEntries=2147483647\nFile0=x\nFile-1=x\nFile9223372036854775808=x\nFile1"
                + repeated("0", 30) + "=x\nFile1=http://h/x\nLength1=-9223372036854775808\nTitle1=\u{1b}[2J\u{0}OK\n"
        ),
        ("sparse.pls", "audio/x-scpls", "[playlist]\nFile2147483647=http://h/x\n"),
        ("deep.asx", "video/x-ms-asf", "<asx>" + repeated("<entry>", 50_000)),
        (
            "refs.asx", "video/x-ms-asf",
            "<asx><entry>" + repeated("<ref href=\"file:///etc/passwd\"/><ref href=\"data:x\"/>", 20_000)
        ),
        (
            "times.m3u8", "application/vnd.apple.mpegurl",
            "#EXTM3U\n#EXTINF:1e308,\u{1b}[2J\nx.ts\n#EXTINF:-1,\nfile:///x\n"
        ),
        ("tags.m3u", "audio/x-mpegurl", "#EXTINF:99999999999999999999,a\u{0}\nhttp://h/" + repeated("e\u{301}", 3000)),
        (
            "sheet.cue", "application/x-cue",
            repeated("FILE \"http://h/x\" WAVE\nTRACK 99 AUDIO\nINDEX 01 99999999:99:99\n", 9000)
        ),
        ("nothing", "audio/x-mpegurl", ""), ("zeros.pls", "audio/x-scpls", repeated("\0", 100_000)),
    ]

    @Test(
        "what a playlist names is streams of the web, and what it says of them fits into lines",
        arguments: lists.indices)
    func texts(place: Int) throws {
        let (name, type, text) = Self.lists[place]
        let url = "http://127.0.0.1:9/\(name)"
        let bytes = Array(text.utf8)
        for stream in StreamPlaylist.streams(in: bytes, mimeType: type, url: url) ?? [] {
            #expect(stream.hasPrefix("http://") || stream.hasPrefix("https://"))
            #expect(stream.utf8.count <= 4096 + url.utf8.count)
        }
        guard let format = PlaylistFile.Format(mimeType: type, url: url) else { return }
        let entries = PlaylistFile(bytes, format: format)?.entries ?? []
        #expect(entries.count <= 65_536)
        for entry in entries {
            let values = entry.tags.map(\.value)
            let isFit = values.allSatisfy { $0.utf8.count <= 4096 && !$0.utf8.contains { $0 < 0x20 } }
            let isShort = !entry.uri.isEmpty && entry.uri.utf8.count <= 4096
            guard isFit, isShort, entry.duration ?? .zero >= .zero else {
                Issue.record("\(name): \("\(entry)".prefix(300).debugDescription)")
                return
            }
        }
    }
}
