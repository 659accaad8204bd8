import MusicModel
import TestSupport
import Testing

@testable import Subsonic

/// Whatever JSON a server sends, a call ends with what can be true of music or with a short sentence.
@Suite("Hostile answers of the server", .serialized, .timeLimit(.minutes(10)))
struct HostileAnswersTests {
    /// What is wrong with a value that a call returned; nil for nothing.
    typealias Complaint = String

    /// Every call that reads something, with what must be true of its value.
    static let calls: [(name: String, run: @Sendable (SubsonicClient) async throws -> Complaint?)] = [
        ("ping", { complaint(texts: [try await $0.ping().apiVersion], longest: .max) }),
        (
            "getOpenSubsonicExtensions",
            { try await $0.readExtensions().values.joined().first { $0 < 0 }.map { "\($0)" } }
        ),
        ("getScanStatus", { try await $0.scanStatus()?.count.flatMap { $0 < 0 ? "\($0) songs" : nil } }),
        ("search3", { try await complaint($0.songs(offset: 0, count: 10), most: 10, complaint) }),
        ("search3", { try await complaint($0.albums(offset: 0, count: 10), most: 10, complaint) }),
        ("search3", { try await complaint($0.artists(offset: 0, count: 10), most: 10, complaint) }),
        ("getSong", { try await $0.song(id: "x").flatMap(complaint) }),
        ("getPlaylists", { try await $0.playlists().lazy.compactMap(complaint).first }),
        ("getPlaylist", { try await $0.playlist(id: "x").flatMap(complaint) }),
        ("getStarred2", { try await $0.starred().songs.lazy.compactMap(complaint).first }),
        (
            "getInternetRadioStations",
            { try await $0.radioStations()?.first { $0.id.isEmpty || $0.streamURL.isEmpty }.map { "\($0)" } }
        ),
        (
            "getAlbumList2",
            { try await complaint($0.albums(ofType: "recent", offset: 0, count: 10), most: .max, complaint) }
        ),
        ("getBookmarks", { try await $0.bookmarks()?.first { $0.position < .zero }.map { "\($0)" } }),
        ("getPlayQueueByIndex", { try await $0.playQueue(byIndex: true).flatMap(complaint) }),
        ("getPlayQueue", { try await $0.playQueue(byIndex: false).flatMap(complaint) }),
        (
            "getLyricsBySongId",
            { complaint(texts: try await $0.lyrics(songID: "x")?.flatMap(\.lines).map(\.text) ?? [], longest: .max) }
        ),
        ("getLyrics", { complaint(texts: [try await $0.lyrics(artist: "x", title: "y") ?? ""], longest: .max) }),
    ]

    // MARK: Bounds

    private static func complaint(texts: [String], longest: Int) -> Complaint? {
        texts.first { $0.utf8.count > longest }.map { "a text of \($0.utf8.count) bytes" }
    }

    private static func complaint<Item>(
        _ page: SubsonicPage<Item>, most: Int, _ each: (Item) -> Complaint?
    ) -> Complaint? {
        if page.received > most { return "\(page.received) entries, and \(most) were asked for" }
        return page.items.lazy.compactMap(each).first
    }

    @Sendable
    private static func complaint(_ song: SubsonicSong) -> Complaint? {
        if song.id.isEmpty { return "a song without an id" }
        let counts = [
            song.track, song.discNumber, song.year, song.duration, song.userRating, song.playCount, song.samplingRate,
            song.bitDepth, song.channelCount, song.bitRate,
        ]
        if let number = counts.compactMap(\.self).first(where: { !(0...Int(Int32.max)).contains($0) }) {
            return "the number \(number)"
        }
        if let size = song.size, size < 0 { return "a size of \(size)" }
        let gains = [
            song.replayGain.trackGain, song.replayGain.trackPeak, song.replayGain.albumGain, song.replayGain.albumPeak,
        ]
        return gains.compactMap(\.self).first { !$0.isFinite }.map { "a gain of \($0)" }
    }

    @Sendable
    private static func complaint(_ album: SubsonicAlbum) -> Complaint? {
        if album.id.isEmpty { return "an album without an id" }
        let counts = [album.userRating, album.playCount] + Array(album.discTitles.keys)
        return counts.compactMap(\.self).first { !(0...Int(Int32.max)).contains($0) }.map { "the number \($0)" }
    }

    @Sendable
    private static func complaint(_ artist: SubsonicArtist) -> Complaint? {
        artist.id.isEmpty ? "an artist without an id" : nil
    }

    @Sendable
    private static func complaint(_ playlist: SubsonicPlaylist) -> Complaint? {
        if playlist.id.isEmpty { return "a playlist without an id" }
        return playlist.entryIDs?.contains("") == true ? "an entry without an id" : nil
    }

    @Sendable
    private static func complaint(_ queue: SubsonicPlayQueue) -> Complaint? {
        if queue.songIDs.contains("") { return "an entry without an id" }
        if let index = queue.current, !queue.songIDs.indices.contains(index) { return "the place \(index)" }
        return queue.position < .zero ? "the position \(queue.position)" : nil
    }

    /// What is wrong with a failure: not one of the server's, too long a sentence, or signs that do something to a
    /// terminal.
    static func complaint(about error: any Error) -> Complaint? {
        guard let error = error as? SubsonicError else { return "the error \(error)" }
        if error.message.utf8.count > 1000 { return "a sentence of \(error.message.utf8.count) bytes" }
        let controls = error.message.unicodeScalars.filter { $0.properties.generalCategory == .control }
        return controls.isEmpty ? nil : "control characters in \(error.message.debugDescription)"
    }

    /// Makes every call while its answers are spoiled.
    private func attack(
        _ name: String, _ server: SpoilingServer, _ client: SubsonicClient, _ rule: @escaping SpoilingServer.Rule
    ) async {
        server.spoil(by: rule)
        for (call, run) in Self.calls {
            do {
                if let complaint = try await run(client) { Issue.record("\(name), \(call): \(complaint)") }
            } catch {
                if let complaint = Self.complaint(about: error) { Issue.record("\(name), \(call): \(complaint)") }
            }
        }
        #expect(Set(server.spoiled).isSuperset(of: Self.calls.map(\.name)), "\(name): not all answers were read")
        server.beHonest()
        #expect(await failure { _ = try await client.ping() } == nil, "\(name): the honest server is not heard")
    }

    private func withSpoiledServer(_ body: (SpoilingServer, SubsonicClient) async throws -> Void) async throws {
        let server = try await SpoilingServer.start(songs: 4)
        let ids = server.honest.songs.map(\.id)
        server.honest.playlists = [FakePlaylist(id: "x", name: "Honest", songIDs: ids)]
        server.honest.stations = [FakeStation(id: "s", name: "Radio", streamURL: "http://127.0.0.1:9/live")]
        server.honest.edit(ids[1]) { $0.isStarred = true }
        let settings = SubsonicSettings(
            url: server.url, username: "admin", credential: .password("secret"),
            timeouts: longTimeouts, retries: .init(count: 0))
        try await withClient(settings) { client in
            try await client.setBookmark(songID: ids[3], position: .seconds(1))
            try await body(server, client)
        }
        await server.stop()
    }

    // MARK: Values

    /// Numbers as JSON, some of which are none.
    static let numbers = [
        "9223372036854775807", "-9223372036854775808", "1" + String(repeating: "0", count: 30), "1e308", "-1", "0.5",
        "\"12\"", "null", "true", "[]", "{}", "NaN", "\"x\"", "1e999", String(repeating: "9", count: 2000),
    ]

    @Test("numbers that no song has are none")
    func badNumbers() async throws {
        try await withSpoiledServer { server, client in
            for number in Self.numbers {
                await attack(String(number.prefix(40)), server, client) { _, honest in
                    .page(Self.changed(honest) { $0.replacing([.number], by: number) })
                }
            }
        }
    }

    /// Texts as JSON.
    static let texts =
        [
            "", "\0", "a\nOK\nfile: x", "../../../etc/passwd", String(repeating: "x", count: 5000),
            "\u{1b}[2J\u{9b}31m", "/", ".", "a/b/c/../..", "e" + String(repeating: "\u{301}", count: 3000),
            "file:///etc/passwd", "9999-99-99T99:99:99Z", "%s%n%x",
        ].map(JSONTree.quoted) + ["\"\\ud800\""]

    @Test("texts that are no names do no more than names")
    func badTexts() async throws {
        try await withSpoiledServer { server, client in
            for text in Self.texts {
                await attack(String(text.prefix(40)), server, client) { _, honest in
                    .page(Self.changed(honest) { $0.replacing([.text], by: text) })
                }
            }
        }
    }

    /// Kinds of values, and what stands in their place.
    static let types: [(kinds: Set<JSONTree.Kind>, replacement: String)] = [
        ([.array], "{}"), ([.array], "null"), ([.object], "[]"), ([.object], "\"x\""), ([.text, .number], "[]"),
        ([.array], "[[[]]]"),
    ]

    @Test("values of other types are left out")
    func badTypes() async throws {
        try await withSpoiledServer { server, client in
            for (kinds, replacement) in Self.types {
                await attack("\(kinds) as \(replacement)", server, client) { _, honest in
                    .page(Self.changed(honest) { $0.replacing(kinds, by: replacement) })
                }
            }
        }
    }

    private static func changed(_ honest: [UInt8], _ change: (JSONTree) -> JSONTree) -> [UInt8] {
        JSONTree(honest).map { Array(change($0).text.utf8) } ?? honest
    }

    // MARK: Structures

    /// A successful answer around some JSON.
    static func envelope(_ inner: [UInt8]) -> [UInt8] {
        Array(#"{"subsonic-response":{"status":"ok","version":"1.16.1","type":"navidrome","openSubsonic":true,"#.utf8)
            + inner + Array("}}".utf8)
    }

    /// The name under which a call's answer stands.
    static func member(_ call: String) -> String {
        switch call {
        case "search3": return "searchResult3"
        case "getOpenSubsonicExtensions": return "openSubsonicExtensions"
        case "getLyricsBySongId": return "lyricsList"
        default:
            let name = call.hasPrefix("get") ? call.dropFirst(3) : call[...]
            return name.prefix(1).lowercased() + name.dropFirst()
        }
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// Bodies that are no answer, by the call.
    static let structures: [(name: String, body: @Sendable (_ call: String) -> [UInt8])] = [
        (
            "deep lists",
            { envelope(Array("\"\(member($0))\":\(repeated("[", 100_000))\(repeated("]", 100_000))".utf8)) }
        ),
        (
            "deep objects",
            { envelope(Array("\"\(member($0))\":\(repeated("{\"a\":", 50_000))1\(repeated("}", 50_000))".utf8)) }
        ),
        ("deep in what is skipped", { _ in envelope(Array("\"x\":\(repeated("[", 200_000))".utf8)) }),
        ("many keys", { _ in envelope(Array((0..<10_000).map { "\"k\($0)\":1" }.joined(separator: ",").utf8)) }),
        ("one key often", { envelope(Array((repeated("\"\(member($0))\":{\"song\":[]},", 3000) + "\"z\":1").utf8)) }),
        ("long number", { envelope(Array("\"\(member($0))\":{\"count\":\(repeated("9", 100_000))}".utf8)) }),
        ("long string", { _ in envelope(Array("\"x\":\"\(repeated("\\u0041", 50_000))\"".utf8)) }),
        (
            "surrogates",
            {
                envelope(
                    Array("\"\(member($0))\":{\"song\":[{\"id\":\"\\ud800\\u0000\\udc00\",\"title\":\"".utf8)
                        + [0xFF, 0xFE] + Array("\"}]}".utf8))
            }
        ),
        ("BOM", { _ in [0xEF, 0xBB, 0xBF] + envelope(Array("\"a\":1".utf8)) }),
        ("nothing", { _ in [] }), ("null", { _ in Array("null".utf8) }),
        ("cut", { Array(envelope(Array("\"\(member($0))\":{\"song\":[{\"id\":\"1\",\"ti".utf8)).dropLast(2)) }),
        ("XML", { _ in Array("<subsonic-response/>".utf8) }),
        (
            "an error in XML without an end",
            { _ in
                Array("<subsonic-response><error code=\"99999999999999999999\" message=\"\(repeated("&", 9000))".utf8)
            }
        ),
        ("versions", { _ in envelope(Array(#""version":"99999999999999999999.-1.x","serverVersion":{}"#.utf8)) }),
        (
            "a failure that clears the screen",
            { _ in refusal(code: "9223372036854775807", repeated("\\u001b[2J", 5000)) }
        ),
        ("a failure in a letter without an end", { _ in refusal(code: "0", "e" + repeated("\u{301}", 50_000)) }),
        ("a failure of lines", { _ in refusal(code: "70", "OK\\nfile: x\\u0007\\u009b31m") }),
        (
            "a thousand of one song",
            {
                let song = #"{"id":"1","title":"t","path":"a/b.flac","suffix":"flac","duration":2,"isDir":false}"#
                let songs = Array(repeating: song, count: 1000).joined(separator: ",")
                return envelope(Array("\"\(member($0))\":{\"song\":[\(songs)],\"album\":[\(songs)]}".utf8))
            }
        ),
    ]

    private static func refusal(code: String, _ message: String) -> [UInt8] {
        Array(#"{"subsonic-response":{"status":"failed","error":{"code":\#(code),"message":"\#(message)"}}}"#.utf8)
    }

    @Test("structures that no answer has end in a sentence", arguments: HostileAnswersTests.structures.map(\.name))
    func badStructures(name: String) async throws {
        let body = try #require(Self.structures.first { $0.name == name }).body
        let bodies = Dictionary(Self.calls.map { ($0.name, body($0.name)) }) { first, _ in first }
        try await withSpoiledServer { server, client in
            await attack(name, server, client) { call, _ in .page(bodies[call] ?? []) }
        }
    }
}
