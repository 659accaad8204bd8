@testable import Sync
import LibraryIndex
import LibrarySamples
import MusicModel
@testable import Subsonic
import SyncBench
import Synchronization
import TestSupport
import Testing
import UserLibrary

/// An index whose server spoils its answers.
private struct SpoiledBench {
    static let songs = 10
    let server: SpoilingServer
    let client: SubsonicClient
    let library: Library
    let log = LogLines()
    let state: TemporaryFolder
    let sync: LibrarySync

    init(settings: SyncSettings = ServerBench.settings) async throws {
        server = try await SpoilingServer.start(songs: Self.songs)
        let ids = server.honest.songs.map(\.id)
        server.honest.playlists = [FakePlaylist(id: "p", name: "Honest", songIDs: Array(ids[..<3]))]
        server.honest.stations = [FakeStation(id: "s", name: "Radio", streamURL: "http://127.0.0.1:9/live")]
        server.honest.edit(ids[1]) { $0.isStarred = true }
        client = SubsonicClient(
            SubsonicSettings(
                url: server.url, username: "admin", credential: .password("secret"),
                timeouts: .init(connect: .seconds(600), answer: .seconds(600), idle: .seconds(600)),
                retries: SubsonicSettings.Retries(count: 0)),
            log: log.logger)
        state = try TemporaryFolder()
        library = try Library(path: state.path + "/segue.db")
        sync = LibrarySync(
            library: library, server: ServerSource(mount: "", client: client), settings: settings,
            observer: SyncObserver(), logger: log.logger)
    }

    /// Runs a test and ends what would outlive it.
    static func run(settings: SyncSettings = ServerBench.settings, _ body: (SpoiledBench) async throws -> Void)
        async throws
    {
        let bench = try await SpoiledBench(settings: settings)
        _ = try await bench.sync.syncOnce()
        try await body(bench)
        await bench.client.shutDown()
        await bench.server.stop()
    }

    /// Syncs twice while answers are spoiled: what came then is fit to be shown, and the honest server is believed
    /// again afterwards.
    func attack(_ name: String, _ calls: Set<String> = [], by rule: @escaping SpoilingServer.Rule) async throws {
        server.honest.change { $0.touch(2) }
        server.spoil(calls, by: rule)
        for _ in 0..<2 {
            do {
                _ = try await sync.syncOnce()
            } catch let error as SubsonicError {
                #expect(error.message.utf8.count <= 1000, "\(name)")
            } catch is SyncPostponed {
                // Nothing was believed.
            }
        }
        #expect(!server.spoiled.isEmpty, "\(name): nothing was spoiled")
        try await check(name)
        server.beHonest()
        server.honest.change { $0.touch(2) }
        var attempts = 0
        while try await !isInStep() {
            attempts += 1
            try #require(attempts <= 4, "\(name): the honest library does not come back")
            do { _ = try await sync.syncOnce() } catch is SyncPostponed {}
        }
    }

    /// Whether the index holds exactly what the honest server lists.
    private func isInStep() async throws -> Bool {
        let listed = server.honest.songs
        let songs = try await library.allSongs()
        let lists = try await library.storedPlaylists().map(\.name)
        return songs.count == listed.count && listed.allSatisfy { songs[$0.path]?.first(.title) == $0.title }
            && lists.contains("Honest")
    }

    /// Everything that is in the index fits into the lines of answers, and below the music.
    private func check(_ name: String) async throws {
        let songs = try await library.allSongs()
        #expect(songs.count <= 2 * Self.songs + 60, "\(name)")
        for (uri, song) in songs {
            if let complaint = complaint(path: uri) ?? complaint(song) { Issue.record("\(name): \(complaint)") }
        }
        let lists = try await library.storedPlaylists()
        #expect(lists.count <= 2 * Self.songs + 60, "\(name)")
        for list in lists where hasControls(list.name) || list.name.utf8.count > 4000 {
            Issue.record("\(name): the playlist \(list.name.prefix(100).debugDescription)")
        }
        for station in try await library.stations() {
            let texts = [station.name, station.url, station.homepage ?? ""]
            if texts.contains(where: { hasControls($0) || $0.utf8.count > 4096 }) || !station.url.hasPrefix("http") {
                Issue.record("\(name): the station \(station.name.prefix(100).debugDescription)")
            }
        }
        let longest = log.all.map(\.utf8.count).max() ?? 0
        #expect(longest <= 3000, "\(name): a line of \(longest) bytes in the log")
    }

    private func complaint(path: String) -> String? {
        if hasControls(path) { return "a control character in the path \(path.prefix(100).debugDescription)" }
        if path.utf8.count > 4000 { return "a path of \(path.utf8.count) bytes" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.contains { ["", ".", ".."].contains($0) } ? "the path \(path.prefix(100).debugDescription)" : nil
    }

    private func complaint(_ song: Song) -> String? {
        for tag in song.tags where tag.value.isEmpty || hasControls(tag.value) || tag.value.utf8.count > 4000 {
            return "the value \(tag.tag) \(tag.value.prefix(100).debugDescription)"
        }
        if let duration = song.duration, duration < .zero { return "a length of \(duration)" }
        return [song.lastModified, song.added].compactMap(\.self).first { $0 < 0 }.map { "the time \($0)" }
    }

    private func hasControls(_ text: String) -> Bool { text.utf8.contains { $0 < 0x20 } }
}

/// Whatever a server says of its library, the index holds lines, names below the music, and no more than was listed,
/// and is as the honest server's again afterwards.
@Suite("An index of a hostile server", .serialized, .timeLimit(.minutes(10)))
struct HostileServerTests {
    private static let numbers = [
        "9223372036854775807", "-9223372036854775808", "1" + String(repeating: "0", count: 30), "1e308", "-1", "0.5",
        "\"12\"", "null", "true", "[]", "{}", "\"x\"",
    ]

    @Test("numbers")
    func numbers() async throws {
        try await SpoiledBench.run { bench in
            for number in Self.numbers {
                try await bench.attack(number) { _, honest in
                    .page(Self.changed(honest) { $0.replacing([.number], by: number) })
                }
            }
        }
    }

    private static let texts =
        [
            "", "\0", "a\nOK\nfile: x", "../../../etc/passwd", String(repeating: "x", count: 5000),
            "\u{1b}[2J\u{9b}31m", "/", ".", "a/b/c/../..", "e" + String(repeating: "\u{301}", count: 3000),
            "file:///etc/passwd", "9999-99-99T99:99:99Z", "%s%n%x",
        ].map(JSONTree.quoted) + ["\"\\ud800\""]

    /// The members of answers that hold texts for people.
    private static let names: Set<String> = [
        "path", "title", "album", "artist", "displayArtist", "displayAlbumArtist", "displayComposer", "name",
        "sortName", "genre", "value", "suffix", "contentType", "coverArt", "created", "comment", "changed", "owner",
        "streamUrl",
        "homePageUrl", "musicBrainzId", "starred", "played", "version", "role", "subRole",
    ]

    @Test("texts")
    func texts() async throws {
        try await SpoiledBench.run { bench in
            for text in Self.texts {
                try await bench.attack(String(text.prefix(40))) { _, honest in
                    .page(Self.changed(honest) { $0.replacing([.text], by: text) })
                }
                // With ids of their own the songs get into the index.
                try await bench.attack("all but ids \(text.prefix(40))") { _, honest in
                    .page(Self.changed(honest) { $0.replacing([.text], of: Self.names, by: text) })
                }
            }
        }
    }

    @Test("the same text for all songs")
    func oneTextForAll() async throws {
        let names = [
            "id", "path", "title", "parent", "coverArt", "suffix", "created", "changed", "streamUrl", "name",
        ]
        try await SpoiledBench.run { bench in
            for name in names {
                for text in ["same", "../same\n", String(repeating: "/", count: 4000)] {
                    try await bench.attack("\(name) \(text.prefix(20))") { _, honest in
                        .page(Self.changed(honest) { $0.replacing([.text], of: [name], by: JSONTree.quoted(text)) })
                    }
                }
            }
        }
    }

    @Test("a suffix of several lines, for songs without a path")
    func suffix() async throws {
        try await SpoiledBench.run { bench in
            for suffix in ["x\nOK\nfile: y", "/../../x", "."] {
                try await bench.attack(suffix) { _, honest in
                    .page(
                        Self.changed(honest) {
                            $0.replacing([.text], of: ["path"], by: "\"/\"")
                                .replacing([.text], of: ["suffix"], by: JSONTree.quoted(suffix))
                        })
                }
            }
        }
    }

    @Test("values of other types")
    func types() async throws {
        let types: [(Set<JSONTree.Kind>, String)] = [
            ([.array], "{}"), ([.array], "null"), ([.object], "[]"), ([.object], "\"x\""), ([.text, .number], "[]"),
            ([.array], "[[[]]]"),
        ]
        try await SpoiledBench.run { bench in
            for (kinds, replacement) in types {
                try await bench.attack("\(kinds) as \(replacement)") { _, honest in
                    .page(Self.changed(honest) { $0.replacing(kinds, by: replacement) })
                }
            }
        }
    }

    private static func changed(_ honest: [UInt8], _ change: (JSONTree) -> JSONTree) -> [UInt8] {
        JSONTree(honest).map { Array(change($0).text.utf8) } ?? honest
    }

    // MARK: Sizes

    private static func answer(_ member: String, _ kind: String, _ items: [String]) -> RawServer.Answer {
        let inner = "\"\(member)\":{\"\(kind)\":[\(items.joined(separator: ","))]}"
        return .page(
            Array("{\"subsonic-response\":{\"status\":\"ok\",\"version\":\"1.16.1\",\(inner)}}".utf8))
    }

    @Test("thousands of songs of one id are one, and no page has more than was asked for")
    func oneID() async throws {
        let song = #"{"id":"1","title":"t","path":"a/b.flac","suffix":"flac","duration":2,"isDir":false}"#
        let songs = Self.answer("searchResult3", "song", Array(repeating: song, count: 5000))
        try await SpoiledBench.run { bench in
            try await bench.attack("one id", ["search3"]) { _, _ in songs }
        }
    }

    @Test("lists without an end are given up", arguments: ["song", "album", "artist"])
    func endlessLists(kind: String) async throws {
        var settings = ServerBench.settings
        settings.maxEntries = 1000
        try await SpoiledBench.run(settings: settings) { bench in
            let count = Counter()
            bench.server.honest.change { $0.touch(2) }
            bench.server.spoil(["search3", "getScanStatus"]) { call, honest in
                if call == "getScanStatus" {
                    return .page(Self.changed(honest) { $0.replacing([.number], by: "2147483647") })
                }
                let first = count.next() * 50
                return Self.answer(
                    "searchResult3", kind,
                    (first..<(first + 50)).map {
                        #"{"id":"e\#($0)","title":"t","name":"n","path":"a/\#($0).flac","suffix":"flac"}"#
                    })
            }
            let error = await #expect(throws: SubsonicError.self) { try await bench.sync.syncOnce() }
            #expect(error?.code == .badAnswer && error?.message.contains("1000") == true)
            #expect(count.value <= 30, "\(count.value) pages of 50 were read for 1000 entries")
        }
    }

    @Test("a playlist of more songs than there are, and thousands of playlists, are what they are")
    func playlists() async throws {
        try await SpoiledBench.run { bench in
            let id = bench.server.honest.songs[0].id
            let entries = Array(repeating: "{\"id\":\"\(id)\"}", count: 2000).joined(separator: ",")
            let large = Array(
                """
                {"subsonic-response":{"status":"ok","version":"1.16.1","playlist":{"id":"p","name":"\\nOK\\u001b[2J",\
                "songCount":-5,"entry":[\(entries)]}}}
                """.utf8)
            let lists = Self.answer(
                "playlists", "playlist",
                (0..<10).map { #"{"id":"p\#($0)","name":"Honest","songCount":9223372036854775807,"changed":"x"}"# })
            try await bench.attack("playlists", ["getPlaylist", "getPlaylists"]) { call, _ in
                call == "getPlaylist" ? .page(large) : lists
            }
        }
    }
}

/// Counts from 0.
private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
