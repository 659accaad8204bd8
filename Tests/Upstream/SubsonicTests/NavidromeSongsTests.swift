import TestSupport
import Testing

@testable import Subsonic

@Suite("Navidrome's list of the longest songs")
struct NavidromeSongsTests {
    private func read(_ json: String) throws -> NavidromeSong? {
        var text = json
        return try text.withUTF8 { bytes in
            var reader = JSONReader(UnsafeRawBufferPointer(bytes))
            return try NavidromeSong(&reader)
        }
    }

    @Test("pages come in the order of the lengths, with tags and lyrics of several lines")
    func pages() async throws {
        try await withServer(songs: 7) { server, client in
            let songs = server.songs
            for (place, song) in songs.enumerated() { server.edit(song.id) { $0.duration = 100 * (place + 1) } }
            server.edit(songs[6].id) { $0.tags = ["cuesheet": "one\ntwo \"&<>\"", "mood": "calm"] }
            server.setLyrics(of: songs[5].id, FakeLyrics([(nil, "la"), (nil, "lo")]), FakeLyrics([(5, "timed")]))
            let session = NavidromeSession(client)
            let first = try await session.longestSongs(from: 0, count: 3)
            #expect(first.items.map(\.id) == [6, 5, 4].map { songs[$0].id })
            #expect(first.items.map(\.duration) == [700, 600, 500].map { .seconds($0) })
            #expect(first.items.map(\.texts) == [["one\ntwo \"&<>\""], ["la\nlo"], []])
            #expect(first.items[0].title == songs[6].title)
            let last = try await session.longestSongs(from: 6, count: 3)
            #expect(last.items.map(\.id) == [songs[0].id] && last.received == 1)
        }
    }

    @Test("a song is read as Navidrome writes it")
    func shape() throws {
        let song = try read(
            #"""
            {"playCount":0,"starred":false,"rating":0,"bookmarkPosition":0,"id":"4bSxJUEbtWDLBpcXUVkHjm","libraryId":1,
             "path":"A/disc.flac","title":"Disc","duration":2711.4866,"bitDepth":16,"genres":[{"id":"x","name":"Rock"}],
             "lyrics":"[{\"lang\":\"xxx\",\"line\":[{\"value\":\"FILE \\\"a.wav\\\" WAVE\"},{\"value\":\"TRACK 01 AUDIO\"}],\"synced\":false}]",
             "rgAlbumGain":null,"tags":{"cuesheet":["a\r\nb","c\nd"],"genre":["Rock"]},
             "participants":{"artist":[{"id":"a","name":"Ada"}]},"missing":false,"createdAt":"2026-01-02T03:04:05Z"}
            """#)
        #expect(song?.id == "4bSxJUEbtWDLBpcXUVkHjm" && song?.title == "Disc")
        #expect(song.map { $0.duration > .seconds(2711) && $0.duration < .seconds(2712) } == true)
        #expect(song?.texts == ["FILE \"a.wav\" WAVE\nTRACK 01 AUDIO", "a\r\nb", "c\nd"])
    }

    @Test(
        "what is broken in a song is left out",
        arguments: [
            #"{"id":"a","duration":"long","lyrics":"[{\"line\":","tags":[1,{"b":"c\nd"}]}"#,
            #"{"id":"a","duration":1e300,"lyrics":5,"tags":"x\ny"}"#,
            #"{"id":"a","duration":-1e300,"lyrics":null,"tags":{"x":{"y":"a\nb"},"z":[null,[],{}]}}"#,
            #"{"id":"a","lyrics":"[[[[[[[[[[[[{{{"}"#, #"{"id":"a","lyrics":"[{\"line\":[{\"value\":7}]}]"}"#,
        ])
    func broken(json: String) throws {
        let song = try #require(try read(json))
        #expect(song.id == "a" && song.texts.isEmpty)
    }

    @Test("texts that are too long, or too many, are left out")
    func limits() throws {
        let long = String(repeating: #"abc\n"#, count: 100_000)
        let many = Array(repeating: #""a\nb""#, count: 1000).joined(separator: ",")
        #expect(try read(#"{"id":"a","tags":{"x":["\#(long)"],"y":["a\nb"]},"lyrics":"\#(long)"}"#)?.texts == ["a\nb"])
        #expect(try read(#"{"id":"a","tags":{"x":[\#(many)]}}"#)?.texts.count == 100)
        #expect(try read("{}") == nil)
        #expect(try read("[]") == nil)
    }

    @Test("a web page, another status and an object are told apart from a list")
    func answers() async throws {
        try await withServer(songs: 2) { server, client in
            let session = NavidromeSession(client)
            _ = try await session.longestSongs(from: 0, count: 1)
            func code(_ fault: FakeFault.Mode) async throws -> SubsonicError.Code? {
                try await server.setFaults(FakeFault(fault, match: "song"))
                return await failure { _ = try await session.longestSongs(from: 0, count: 1) }?.code
            }
            #expect(try await code(.html) == .badAnswer)
            #expect(try await code(.garbage) == .badAnswer)
            #expect(try await code(.status(404)) == .unsupported)
            #expect(try await code(.status(302)) == .unsupported)
            #expect(try await code(.http500) == .server(status: 500))
            #expect(try await code(.rateLimited(retryAfter: 5)) == .rateLimited)
        }
    }

    // What a sync does with one is in `TaggedSheetsTests`.
    @Test("an answer that is too long is refused", .enabled(if: testsEverything))
    func tooLong() async throws {
        try await withServer(songs: 2) { server, client in
            let session = NavidromeSession(client)
            server.edit(server.songs[0].id) { $0.tags["x"] = String(repeating: "long\n", count: 6 << 20) }
            let error = await failure { _ = try await session.longestSongs(from: 0, count: 2) }
            #expect(error != nil && error?.code != .closed)
        }
    }

    @Test("everything that Navidrome read in a song's file comes by the names of taggers, each fit for a line")
    func comments() throws {
        var text = #"""
            {"id":"nh9","title":"Jóga","duration":19,"date":"1997-09-22","bpm":0,"comment":"two\nlines","originalYear":0,
             "sortArtistName":"Sigurdsdottir, Bjork","mbzReleaseTrackId":"000007d2-1111","mbzReleaseGroupId":"00001388-1111",
             "rgTrackGain":-7.24,"rgAlbumGain":null,"rgTrackPeak":1,"catalogNum":"TPLP71","explicitStatus":"",
             "tags":{"genre":["Electronic","Art Pop"],"ISRC":["GBAAW9700001"],"bad name":["x"],"a:b":["x"],"empty":[""]},
             "participants":{"lyricist":[{"id":"1","name":"Sjón","missing":false}],
              "performer":[{"id":"2","name":"Someone","subRole":"cello"},{"id":"3"}]},"lyrics":"[]","missing":false}
            """#
        let comments = try text.withUTF8 { bytes throws in
            try SongComment.all(in: UnsafeRawBufferPointer(bytes))
        }
        #expect(
            comments == [
                SongComment("date", "1997-09-22"), SongComment("comment", "two lines"),
                SongComment("artistsort", "Sigurdsdottir, Bjork"),
                SongComment("musicbrainz_releasetrackid", "000007d2-1111"),
                SongComment("musicbrainz_releasegroupid", "00001388-1111"),
                SongComment("replaygain_track_gain", "-7.24"), SongComment("replaygain_track_peak", "1"),
                SongComment("catalognumber", "TPLP71"), SongComment("genre", "Electronic"),
                SongComment("genre", "Art Pop"), SongComment("isrc", "GBAAW9700001"), SongComment("lyricist", "Sjón"),
                SongComment("performer", "Someone (cello)"),
            ])
    }

    @Test("the comments of a song are one request, and none for an id that would lead elsewhere")
    func oneSong() async throws {
        try await withServer(songs: 2) { server, client in
            let id = server.songs[1].id
            server.edit(id) { $0.tags = ["isrc": "GBAAW9700001"] }
            let session = NavidromeSession(client)
            let comments = try await session.comments(ofSong: id)
            #expect(comments == [SongComment("isrc", "GBAAW9700001")])
            server.forgetRequests()
            for odd in ["", "../missing", "a?b=c", "a/b", "é"] {
                let none = try await session.comments(ofSong: odd)
                #expect(none.isEmpty)
            }
            #expect(server.requests.isEmpty)
            await #expect(throws: SubsonicError.self) { try await session.comments(ofSong: "gone") }
        }
    }
}
