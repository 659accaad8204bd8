import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Subsonic

@Suite("The Subsonic client")
struct SubsonicClientTests {
    @Test("a walk by pages gives every song once, in order")
    func paging() async throws {
        try await withServer(songs: 230) { server, client in
            var songs: [SubsonicSong] = []
            while true {
                let page = try await client.songs(offset: songs.count, count: 50)
                songs += page.items
                if page.received < 50 { break }
            }
            #expect(songs.map(\.id) == server.songs.map(\.id))
            #expect(songs.map(\.title) == server.songs.map(\.title))
            #expect(songs.map { $0.artists.map(\.name) } == server.songs.map(\.artists))
            #expect(try await client.scanStatus()?.count == 230)
            #expect(try await client.songs(offset: 230, count: 50).received == 0)
        }
    }

    @Test("songs beyond those that were asked for are left out of a page")
    func generousPages() async throws {
        let server = try await FakeNavidrome.start(songs: 1)
        let song = #"{"id":"1","title":"t","path":"a/b.flac","isDir":false}"#
        let songs = Array(repeating: song, count: 300).joined(separator: ",")
        server.setAnswer(
            of: "search3",
            Array(
                #"{"subsonic-response":{"status":"ok","version":"1.16.1","searchResult3":{"song":[\#(songs)]}}}"#.utf8))
        try await withClient(settings(server)) { client in
            let (few, many) = (
                try await client.songs(offset: 0, count: 50), try await client.songs(offset: 0, count: 400)
            )
            #expect(few.received == 50 && many.received == 300)
        }
        await server.stop()
    }

    @Test("odd songs cost themselves at most, never the page")
    func oddSongs() async throws {
        var library = FakeLibrary(songs: 0)
        var songs = (0..<6).map { FakeSong(id: "id\($0)", title: "Song \($0)") }
        songs[0].rawJSON =
            #"{"id":"a","title":null,"track":"7","year":"nineteen","genres":"Rock","artists":{"name":"Solo"},"size":"12"}"#
        songs[1].rawJSON = #"{"title":"no id"}"#
        songs[2].rawJSON =
            #"{"id":17,"title":["x"],"replayGain":[],"contributors":[{"role":"composer"},3],"duration":-4,"bpm":1.5}"#
        songs[3].rawJSON = #"{"id":"","title":"empty id"}"#
        songs[4].rawJSON = #"null"#
        songs[5].rawJSON =
            #"{"id":"f","works":[{"name":"W","musicBrainzId":"m"},"V"],"movements":[{"name":"M","number":2}],"moods":["Calm"],"groupings":[{"value":"G"}],"recordLabels":[{"name":"L"}],"releaseDate":{"year":1999,"month":13},"originalReleaseDate":{"year":1971,"month":2,"day":3},"isrc":["I"],"contributors":[{"role":"Performer","subRole":"Violin","artist":{"name":"P","musicBrainzId":"q"}}]}"#
        library = FakeLibrary(songs)
        let server = try await FakeNavidrome.start(library: library)
        try await withClient(settings(server)) { client in
            let page = try await client.songs(offset: 0, count: 10)
            #expect(page.items.map(\.id) == ["a", "17", "f"] && page.skipped == 3 && page.received == 6)
            let (a, b, f) = (page.items[0], page.items[1], page.items[2])
            #expect(a.title == nil && a.track == 7 && a.year == nil && a.genres == ["Rock"] && a.size == 12)
            #expect(a.artists == [ArtistReference(name: "Solo")])
            #expect(b.title == nil && b.contributors == [] && b.duration == nil)
            #expect(f.works == [Work(name: "W", musicBrainzID: "m"), Work(name: "V")])
            #expect(f.movements == [Movement(name: "M", number: 2)] && f.moods == ["Calm"] && f.groupings == ["G"])
            #expect(f.recordLabels == ["L"] && f.releaseDate?.description == "1999")
            #expect(f.originalReleaseDate?.description == "1971-02-03")
            let performer = ArtistReference(name: "P", musicBrainzID: "q")
            #expect(f.contributors == [Contributor(role: "performer", subRole: "Violin", artist: performer)])
        }
        await server.stop()
    }

    @Test("credentials travel in the body, as salt and token")
    func token() async throws {
        try await withServer { server, client in
            _ = try await client.ping()
            let request = try #require(server.requests.last)
            #expect(request.method == "POST" && request.query.isEmpty)
            #expect(request["p"] == nil && request["t"]?.count == 32 && request["s"]?.count == 16)
            #expect(request["c"] == "segue" && request["f"] == "json")
        }
    }

    @Test("a stored token is taken as well as the password")
    func storedToken() async throws {
        let server = try await FakeNavidrome.start(songs: 1)
        var settings = settings(server)
        settings.credential = SubsonicSettings.makeToken(password: "secret")
        try await withClient(settings) { client in _ = try await client.ping() }
        await server.stop()
    }

    @Test("a server without tokens gets the password in hexadecimal, and what it lacks is absent")
    func supysonic() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        try await withServer(options: options) { server, client in
            let identity = try await client.ping()
            #expect(identity == ServerIdentity(apiVersion: "1.12.0", isOpenSubsonic: false))
            #expect(server.requests.last?["p"] == "enc:736563726574")
            #expect(try await client.extensions() == [:])
            #expect(try await client.scanStatus() == nil)
            #expect(try await client.radioStations() == [])
            #expect(try await client.songs(offset: 0, count: 100).items.count == 30)
            // The form that works is remembered.
            #expect(server.requests.dropFirst(2).allSatisfy { $0["p"] != nil })
        }
    }

    @Test("a stored token on a server without tokens asks for the password")
    func tokenUnknown() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        let server = try await FakeNavidrome.start(songs: 1, options: options)
        var settings = settings(server)
        settings.credential = SubsonicSettings.makeToken(password: "secret")
        try await withClient(settings) { client in
            let error = await failure { _ = try await client.ping() }
            #expect(error?.code == .credentialNotSupported && error?.message.contains("password") == true)
        }
        await server.stop()
    }

    @Test("the server is asked once an hour what it can do")
    func abilities() async throws {
        let time = Mutex(ContinuousClock.now)
        try await withServer(songs: 1) { server, _ in
            let client = SubsonicClient(settings(server), log: LogLines().logger, now: { time.withLock { $0 } })
            for (passed, expected) in [(0, 1), (3_599, 1), (1, 2)] {
                time.withLock { $0 += .seconds(passed) }
                let hasIt = try await client.has("transcoding")
                #expect(hasIt)
                #expect(server.requests.count { $0.call == "getOpenSubsonicExtensions" } == expected)
            }
            await client.shutDown()
        }
    }

    @Test("a server that takes no POST is asked by GET")
    func getOnly() async throws {
        var options = FakeOptions()
        options.refusesPost = true
        try await withServer(options: options) { server, client in
            _ = try await client.ping()
            #expect(server.requests.map(\.method) == ["POST", "GET"])
            _ = try await client.ping()
            #expect(server.requests.map(\.method) == ["POST", "GET", "GET"])
        }
    }

    @Test("wrong credentials are not tried again")
    func wrongPassword() async throws {
        let server = try await FakeNavidrome.start(songs: 1)
        try await withClient(settings(server, password: "wrong")) { client in
            let error = await failure { _ = try await client.ping() }
            #expect(error?.code == .unauthorized && error?.isTransient == false)
            #expect(server.requests.count == 1)
        }
        await server.stop()
    }

    @Test("plays arrive in order with their times, once each, even a thousand of them")
    func scrobbling() async throws {
        try await withServer(songs: 3) { server, client in
            let ids = server.songs.map(\.id)
            let plays = (0..<1000).map { SubsonicPlay(id: ids[$0 % 3], time: 1_700_000_000_000 + Int64($0)) }
            try await client.scrobble(plays)
            #expect(server.scrobbles == plays.map { FakeScrobble(id: $0.id, time: $0.time, isSubmission: true) })
            try await client.nowPlaying(id: ids[1])
            #expect(server.scrobbles.last == FakeScrobble(id: ids[1], time: nil, isSubmission: false))
        }
    }

    @Test("a failed scrobble is never sent a second time", arguments: [FakeFault.Mode.http500, .down, .garbage])
    func scrobbleOnce(mode: FakeFault.Mode) async throws {
        try await withServer(songs: 1) { server, client in
            _ = try await client.ping()
            try await server.setFaults(FakeFault(mode, match: "scrobble"))
            let error = await failure { try await client.scrobble([SubsonicPlay(id: "x", time: 1)]) }
            #expect(error?.isTransient == true)
            #expect(server.requests.filter { $0.call == "scrobble" }.count == 1)
        }
    }

    @Test("text with every kind of character arrives as it is")
    func encoding() async throws {
        try await withServer { server, client in
            let id = "a b&c=d+e%41/?#é夜\u{7F}"
            let song = try await client.song(id: id)
            #expect(song == nil && server.requests.last?["id"] == id)
        }
    }

    @Test("playlists, stars and stations of the server are read")
    func lists() async throws {
        try await withServer(songs: 5) { server, client in
            let ids = server.songs.map(\.id)
            server.playlists = [FakePlaylist(id: "p", name: "Mine", songIDs: [ids[1], ids[0], ids[1]])]
            server.stations = [
                FakeStation(id: "s", name: "Radio", streamURL: "http://127.0.0.1:1/x", coverArt: "ra-s_1")
            ]
            server.edit(ids[2]) { $0.isStarred = true }
            let playlists = try await client.playlists()
            #expect(playlists.map(\.name) == ["Mine"])
            #expect(try await client.playlist(id: "p")?.entryIDs == [ids[1], ids[0], ids[1]])
            #expect(try await client.starred().songs.map(\.id) == [ids[2]])
            #expect(try await client.radioStations()?.map(\.name) == ["Radio"])
            #expect(try await client.radioStations()?.map(\.coverArt) == ["ra-s_1"])
        }
    }

    @Test("the library's changes show as on the real server")
    func changes() async throws {
        try await withServer(songs: 40) { server, client in
            let before = try await client.scanStatus()
            let removed = server.change { $0.remove(2) }
            let touched = server.change { $0.touch(3) }
            let after = try await client.songs(offset: 0, count: 100).items
            #expect(after.count == 38 && !after.map(\.id).contains(removed[0]))
            #expect(after.filter { $0.title?.contains("(touched") == true }.map(\.id).sorted() == touched.sorted())
            #expect(try await client.song(id: removed[0]) != nil)
            #expect(try await client.scanStatus()?.lastScan != before?.lastScan)
            let stream = await failure { _ = try await client.stream(id: removed[0]) }
            #expect(stream?.code == .refused(code: 0))
        }
    }

    @Test(
        "an address must be usable",
        arguments: [
            "", "music", "ftp://host", "http://", "http://user:pw@host", "http://host?x=1", "http://h:99999",
            "http://a b",
        ])
    func badAddress(url: String) async throws {
        let settings = SubsonicSettings(url: url, username: "u", credential: .password("p"))
        try await withClient(settings) { client in
            let error = await failure { _ = try await client.ping() }
            #expect(error?.code == .badSettings)
        }
    }

    @Test("addresses with paths, ports and IPv6 are taken apart")
    func addresses() {
        #expect(ServerAddress("HTTPS://host/music/")?.url(of: "ping") == "https://host/music/rest/ping.view")
        #expect(ServerAddress("http://[::1]:4533")?.host == "[::1]")
        #expect(ServerAddress("http://host:4533///")?.shown == "http://host:4533")
    }

    @Test("calls after the shutdown say so")
    func closed() async throws {
        let server = try await FakeNavidrome.start(songs: 1)
        let client = SubsonicClient(settings(server), log: LogLines().logger)
        await client.shutDown()
        let error = await failure { _ = try await client.ping() }
        #expect(error?.code == .closed)
        await server.stop()
    }

    @Test("a cancelled call ends at once", .timeLimit(.minutes(1)))
    func cancellation() async throws {
        try await withServer(patience: .seconds(3600)) { server, client in
            try await server.setFaults(FakeFault(.held))
            let task = Task { try await client.ping() }
            #expect(await eventually { !server.requests.isEmpty })
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }
    }
}
