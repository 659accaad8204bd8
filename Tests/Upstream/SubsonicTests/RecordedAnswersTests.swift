import Foundation
import TestSupport
import Testing

@testable import Subsonic

@Suite("Answers recorded from Navidrome 0.63.2")
struct RecordedAnswersTests {
    /// Asks a server that gives a recorded answer.
    private func answered<Value>(
        _ call: String, by name: String, _ body: (SubsonicClient) async throws -> Value
    ) async throws -> Value {
        let server = try await FakeNavidrome.start(songs: 1)
        server.setAnswer(of: call, try fixture(name))
        let client = SubsonicClient(settings(server), log: LogLines().logger)
        let result: Result<Value, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        await client.shutDown()
        await server.stop()
        return try result.get()
    }

    @Test("ping says who the server is")
    func ping() async throws {
        let identity = try await answered("ping", by: "ping") { try await $0.ping() }
        #expect(
            identity
                == ServerIdentity(
                    type: "navidrome", serverVersion: "0.63.2 (be10f89c)", apiVersion: "1.16.1", isOpenSubsonic: true))
    }

    @Test("a wrong password is unauthorized")
    func wrongPassword() async throws {
        let error = await failure {
            _ = try await answered("ping", by: "ping_wrong_password") { try await $0.ping() }
        }
        #expect(error?.code == .unauthorized)
    }

    @Test("extensions come with their versions")
    func extensions() async throws {
        let extensions = try await answered("getOpenSubsonicExtensions", by: "getOpenSubsonicExtensions") {
            try await $0.extensions()
        }
        #expect(
            extensions == [
                "transcodeOffset": [1], "formPost": [1], "songLyrics": [1, 2], "indexBasedQueue": [1],
                "transcoding": [1], "playbackReport": [1],
            ])
    }

    @Test("the scan status has count and time")
    func scanStatus() async throws {
        let status = try await answered("getScanStatus", by: "getScanStatus") { try await $0.scanStatus() }
        #expect(status == ScanStatus(isScanning: false, count: 63, lastScan: "2026-11-21T01:15:45.689703589Z"))
    }

    @Test("starting a scan is confirmed", arguments: ["startScan", "startScan_full"])
    func startScan(name: String) async throws {
        try await answered("startScan", by: name) { try await $0.startScan(full: name == "startScan_full") }
    }

    @Test(
        "every format has its properties",
        arguments: [
            ("getSong", "flac", 16, 44100), ("getSong_flac_96k", "flac", 24, 96000), ("getSong_m4a", "m4a", 16, 44100),
            ("getSong_vorbis", "ogg", nil, 44100), ("getSong_opus", "opus", nil, 48000),
        ] as [(String, String, Int?, Int)])
    func formats(name: String, suffix: String, bitDepth: Int?, rate: Int) async throws {
        let song = try #require(try await answered("getSong", by: name) { try await $0.song(id: "x") })
        #expect(song.suffix == suffix && song.bitDepth == bitDepth && song.samplingRate == rate)
        compare(song, try #require(try object(name)["song"] as? [String: Any]))
    }

    /// A recorded answer as Foundation reads it.
    private func object(_ name: String) throws -> [String: Any] {
        let root = try JSONSerialization.jsonObject(with: Data(try fixture(name))) as? [String: [String: Any]]
        return root?["subsonic-response"] ?? [:]
    }

    @Test("a duet has two artists and all its fields")
    func duet() async throws {
        let song = try #require(
            try await answered("getSong", by: "getSong_mp3_duet") { try await $0.song(id: "V1kiavJB2aihhZqtLbF0Yd") })
        var expected = SubsonicSong(id: "V1kiavJB2aihhZqtLbF0Yd")
        expected.title = "Duet (feat. Bjørk Sigurðsdóttir)"
        expected.sortName = "duet (feat. bjork sigurdsdottir)"
        expected.artists = [
            ArtistReference(id: "6sGcaw27TpU961rZmotIVj", name: "The Testers"),
            ArtistReference(id: "4GuNszuw9I3nhwwKTjBWs4", name: "Bjørk Sigurðsdóttir"),
        ]
        expected.artist = "The Testers feat. Bjørk Sigurðsdóttir"
        expected.albumArtists = [ArtistReference(id: "6sGcaw27TpU961rZmotIVj", name: "The Testers")]
        expected.displayAlbumArtist = "The Testers"
        expected.album = "Second Album"
        expected.albumID = "0fge3O7oxx0pbUXD0WMJtL"
        expected.track = 2
        expected.discNumber = 1
        expected.year = 2018
        expected.genres = ["Rock", "Alternative"]
        expected.musicBrainzID = "0000041c-1111-4222-8333-0000007f1e24"
        expected.replayGain = SubsonicReplayGain(trackGain: -7.61, albumGain: -7.89, trackPeak: 0.97, albumPeak: 0.988)
        expected.samplingRate = 44100
        expected.channelCount = 2
        expected.bitRate = 192
        expected.duration = 17
        expected.size = 423_635
        expected.suffix = "mp3"
        expected.path = "The Testers/Second Album/01-02 - Duet (feat. Bjørk Sigurðsdóttir).mp3"
        expected.created = "2026-11-21T01:15:45.653545071Z"
        expected.coverArt = "mf-V1kiavJB2aihhZqtLbF0Yd_6b00ef1c"
        #expect(song == expected)
    }

    @Test("an untagged file has nil where Navidrome writes 0 and nothing")
    func untagged() async throws {
        let song = try #require(
            try await answered("getSong", by: "getSong_untagged") { try await $0.song(id: "x") })
        #expect(
            song.track == nil && song.year == nil && song.discNumber == nil && song.bitDepth == nil)
        #expect(song.comment == nil && song.musicBrainzID == nil && song.genres == [])
        #expect(song.replayGain == SubsonicReplayGain())
        #expect(song.title == "untagged file" && song.artists.map(\.name) == ["[Unknown Artist]"])
    }

    @Test("a star, a rating, plays and their times are read")
    func userData() async throws {
        let starred = try await answered("getSong", by: "getSong_starred_rated") { try await $0.song(id: "x") }
        #expect(starred?.starred == "2026-11-21T01:15:49.110425858Z" && starred?.userRating == 5)
        let played = try await answered("getSong", by: "getSong_after_scrobble_time") { try await $0.song(id: "x") }
        #expect(played?.playCount == 1 && played?.played == "2026-11-21T00:15:49.204Z")
    }

    @Test("a composer is a contributor with a role")
    func composer() async throws {
        let song = try await answered("getSong", by: "getSong_opus") { try await $0.song(id: "x") }
        let bach = ArtistReference(id: "2LvFUDGvG5Mok5Tbg95TFz", name: "Johann Sebastian Bach")
        #expect(song?.contributors == [Contributor(role: "composer", artist: bach)])
        #expect(song?.displayComposer == "Johann Sebastian Bach")
    }

    @Test(
        "every song of every list has the values that Foundation reads",
        arguments: [
            ("search3_empty_all_kinds", 63), ("search3_empty_page_20_20", 20), ("search3_empty_past_end", 0),
        ])
    func songs(name: String, count: Int) async throws {
        let page = try await answered("search3", by: name) { try await $0.songs(offset: 0, count: 500) }
        #expect(page.items.count == count && page.skipped == 0)
        let result = try object(name)["searchResult3"] as? [String: Any]
        let expected = result?["song"] as? [[String: Any]] ?? []
        for (song, json) in zip(page.items, expected) { compare(song, json) }
    }

    private func compare(_ song: SubsonicSong, _ json: [String: Any]) {
        func text(_ name: String) -> String? { (json[name] as? String).flatMap { $0.isEmpty ? nil : $0 } }
        func number(_ name: String) -> Int? {
            (json[name] as? NSNumber).flatMap { $0.intValue == 0 ? nil : $0.intValue }
        }
        func names(_ name: String) -> [String] {
            (json[name] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        }
        #expect(song.id == text("id") && song.title == text("title") && song.sortName == text("sortName"))
        #expect(song.artist == text("artist") && song.album == text("album"))
        #expect(song.albumID == text("albumId") && song.path == text("path") && song.coverArt == text("coverArt"))
        #expect(song.artists.map(\.name) == names("artists") && song.albumArtists.map(\.name) == names("albumArtists"))
        #expect(song.genres == names("genres") && song.comment == text("comment"))
        #expect(song.track == number("track") && song.discNumber == number("discNumber") && song.year == number("year"))
        #expect(song.bitDepth == number("bitDepth") && song.bitRate == number("bitRate"))
        #expect(song.samplingRate == number("samplingRate") && song.channelCount == number("channelCount"))
        #expect(song.duration == json["duration"] as? Int && song.size == (json["size"] as? NSNumber)?.int64Value)
        #expect(
            song.suffix == text("suffix") && song.created == text("created"))
        #expect(song.musicBrainzID == text("musicBrainzId") && song.displayComposer == text("displayComposer"))
        let gain = json["replayGain"] as? [String: Double] ?? [:]
        #expect(song.replayGain.trackGain == gain["trackGain"] && song.replayGain.albumPeak == gain["albumPeak"])
        let contributors = json["contributors"] as? [[String: Any]] ?? []
        #expect(song.contributors.map(\.role) == contributors.compactMap { $0["role"] as? String })
    }

    @Test("albums have disc titles and MusicBrainz ids, artists sort names")
    func albumsAndArtists() async throws {
        let albums = try await answered("search3", by: "search3_empty_all_kinds") {
            try await $0.albums(offset: 0, count: 500)
        }
        #expect(albums.items.count == 9)
        let discs = try #require(albums.items.first)
        #expect(discs.name == "Discs One & Two" && discs.musicBrainzID == "00000bbb-1111-4222-8333-0000016add95")
        #expect(discs.discTitles == [1: "The Day", 2: "The Night"])
        #expect(discs.releaseDate == nil && discs.userRating == nil)
        let artists = try await answered("search3", by: "search3_empty_all_kinds") {
            try await $0.artists(offset: 0, count: 500)
        }
        #expect(artists.items.count == 14 && artists.items.first?.sortName == "second guest")
    }

    @Test("playlists come with their flags, and entries with their duplicates")
    func playlists() async throws {
        let lists = try await answered("getPlaylists", by: "getPlaylists") { try await $0.playlists() }
        #expect(
            lists.map(\.name) == [
                "Bad entry", "Imported M3U", "Second", "Smart Rock", "Ten with a duplicate \\ \"quoted\" ё",
            ])
        #expect(lists.map(\.isReadOnly) == [false, false, false, true, false])
        #expect(lists.map(\.isPublic) == [false, false, true, false, false])
        #expect(lists[3].changed == "2026-11-21T01:15:49.156568285Z")
        let list = try await answered("getPlaylist", by: "getPlaylist_two") { try await $0.playlist(id: "x") }
        #expect(
            list?.entryIDs == [
                "lnlbQUAqCJ1HhCOfl1NeB0", "7E1t35vJhSHId9hOyWpETD", "vDI2k3iNLh8sOsqY3LukeR", "lnlbQUAqCJ1HhCOfl1NeB0",
            ])
        let ten = try await answered("getPlaylist", by: "getPlaylist") { try await $0.playlist(id: "x") }
        #expect(ten?.entryIDs?.count == 10)
        let smart = try await answered("getPlaylist", by: "getPlaylist_smart") { try await $0.playlist(id: "x") }
        #expect(smart?.entryIDs?.count == 15 && smart?.isReadOnly == true)
    }

    @Test("a missing playlist, song or picture is nil")
    func missing() async throws {
        let list = try await answered("getPlaylist", by: "getPlaylist_missing") { try await $0.playlist(id: "nope") }
        #expect(list == nil)
        #expect(try await answered("getSong", by: "getSong_missing") { try await $0.song(id: "nope") } == nil)
        let picture = try await answered("getCoverArt", by: "getCoverArt_missing_id") {
            try await $0.coverArt(id: "nope", size: 300)
        }
        #expect(picture == nil)
        let stream = await failure {
            _ = try await answered("stream", by: "stream_missing") { try await $0.stream(id: "nope") }
        }
        #expect(stream?.code == .notFound)
    }

    @Test("stars cover artists, albums and songs")
    func starred() async throws {
        let starred = try await answered("getStarred2", by: "getStarred2") { try await $0.starred() }
        #expect(starred.artists.map(\.id) == ["6sGcaw27TpU961rZmotIVj"])
        #expect(starred.albums.map(\.userRating) == [4])
        #expect(
            starred.songs.map(\.id) == ["LujYeZ8iBybNDeOrPzfhNO", "iFLpp2y2M9pmXs0GIQhbj7", "yNckpTkiV7r36ZCljxK2xT"])
        let empty = try await answered("getStarred2", by: "getStarred2_empty") { try await $0.starred() }
        #expect(empty == StarredItems())
    }

    @Test("stations come with their addresses")
    func stations() async throws {
        let call = "getInternetRadioStations"
        let stations = try await answered(call, by: call) { try await $0.radioStations() }
        #expect(
            stations == [
                RadioStation(
                    id: "iCvLtDllWN4l25M7QJknGA", name: "Local test radio",
                    streamURL: "http://127.0.0.1:8000/stream.mp3",
                    homePageURL: "http://127.0.0.1:8000/"),
                RadioStation(
                    id: "h2y43bhjgRTvKGs5rZzOsP", name: "Радио Два", streamURL: "http://127.0.0.1:8001/two.ogg"),
            ])
        #expect(try await answered(call, by: "\(call)_empty") { try await $0.radioStations() } == [])
    }

    @Test("a wrong number of times is refused with the server's reason")
    func scrobble() async throws {
        try await answered("scrobble", by: "scrobble_several") {
            try await $0.scrobble([SubsonicPlay(id: "a", time: 1)])
        }
        let error = await failure {
            try await answered("scrobble", by: "scrobble_several_wrong_times") {
                try await $0.scrobble([SubsonicPlay(id: "a", time: 1)])
            }
        }
        #expect(error?.code == .refused(code: 0))
        #expect(error?.message.contains("Wrong number of timestamps") == true)
    }
}
