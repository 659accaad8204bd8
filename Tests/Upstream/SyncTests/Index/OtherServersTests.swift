import Foundation
@testable import Sync
import LibraryIndex
import MusicModel
@testable import Subsonic
import SyncBench
import TestSupport
import Testing
import UserLibrary

/// A server that answers each call as one of the others does.
///
/// - Source: airsonic-advanced 11, `SubsonicRESTController`; gonic 0.22, `server/ctrlsubsonic`; supysonic 0.7.9,
///   `supysonic/api` and `supysonic/db.py`. What the answers tell is made up.
private struct OtherServer: CustomTestStringConvertible {
    let name: String
    /// The frame of every answer, without its last brace.
    let frame: String
    /// Members by the call, and what has to stand among its parameters; the first that fits counts.
    let answers: [(call: String, parameter: String, member: String)]
    /// The answer to calls that it doesn't have.
    let unknown: (status: String, body: String)
    /// The paths of its songs, with values that they have.
    let songs: [String: [TagValue]]

    var testDescription: String { name }

    func answer(_ request: RawServer.Request) -> RawServer.Answer {
        let call = request.path.split(separator: "/").last.map { $0.replacing(".view", with: "") } ?? ""
        let parameters = request.target + "&" + String(decoding: request.body, as: UTF8.self)
        let found = answers.first {
            $0.call == call && ($0.parameter.isEmpty || parameters.contains($0.parameter))
        }
        guard let found else { return .page(Array(unknown.body.utf8), status: unknown.status) }
        let member = found.member.isEmpty ? "" : "," + found.member
        return .page(Array("{\"subsonic-response\":{\(frame)\(member)}}".utf8))
    }

    static let airsonic = OtherServer(
        name: "Airsonic", frame: #""status":"ok","version":"1.15.0""#,
        answers: [
            ("ping", "", ""),
            ("getMusicFolders", "", #""musicFolders":{"musicFolder":[{"id":0,"name":"Music"}]}"#),
            // Counted since it was started.
            ("getScanStatus", "", #""scanStatus":{"scanning":false,"count":0}"#),
            ("search3", "", #""searchResult3":{}"#),
            (
                "getAlbumList2", "offset=0",
                #"""
                "albumList2":{"album":[{"id":"7","name":"Debut","artist":"Bjork","artistId":"3","coverArt":"al-7",
                "songCount":1,"duration":301,"created":"2024-01-05T19:03:41.000Z","year":1997,"genre":"Electronic"}]}
                """#
            ),
            ("getAlbumList2", "", #""albumList2":{}"#),
            (
                "getAlbum", "id=7",
                #"""
                "album":{"id":"7","name":"Debut","artist":"Bjork","artistId":"3","songCount":1,"duration":301,
                "created":"2024-01-05T19:03:41.000Z","song":[{"id":"21","parent":"12","isDir":false,"title":"Hunter",
                "album":"Debut","artist":"Bjork","track":1,"year":1997,"genre":"Electronic","coverArt":"12",
                "size":5120000,"contentType":"audio/flac","suffix":"flac","duration":301,"bitRate":900,
                "path":"Bjork/Debut/01 Hunter.flac","isVideo":false,"playCount":2,"discNumber":1,
                "created":"2024-01-05T19:03:41.000Z","albumId":"7","artistId":"3","type":"music"}]}
                """#
            ),
            (
                "getIndexes", "",
                #"""
                "indexes":{"lastModified":1704481421000,"ignoredArticles":"The","index":[{"name":"B",
                "artist":[{"id":"11","name":"Bjork"}]}],"child":[{"id":"30","isDir":false,"title":"demo",
                "size":900,"contentType":"audio/mpeg","suffix":"mp3","duration":60,"bitRate":128,"path":"demo.mp3",
                "isVideo":false,"created":"2024-01-05T19:03:41.000Z","type":"music"}]}
                """#
            ),
            (
                "getMusicDirectory", "id=11",
                #"""
                "directory":{"id":"11","name":"Bjork","playCount":0,"child":[{"id":"12","parent":"11","isDir":true,
                "title":"Debut"},{"id":"31","parent":"11","isDir":false,"title":"Live","size":1000,
                "contentType":"audio/mpeg","suffix":"mp3","duration":90,"bitRate":128,"path":"Bjork/Live.mp3",
                "isVideo":false,"created":"2024-01-05T19:03:41.000Z","type":"music"},{"id":"32","isDir":false,
                "title":"Film","suffix":"mkv","isVideo":true,"path":"Bjork/Film.mkv","type":"video"}]}
                """#
            ),
            (
                "getMusicDirectory", "id=12",
                #"""
                "directory":{"id":"12","parent":"11","name":"Debut","child":[{"id":"21","parent":"12","isDir":false,
                "title":"Hunter","album":"Debut","path":"Bjork/Debut/01 Hunter.flac","isVideo":false}]}
                """#
            ),
            ("getPlaylists", "", #""playlists":{}"#),
            ("getInternetRadioStations", "", #""internetRadioStations":{}"#),
        ],
        unknown: ("404 Not Found", "<!doctype html><html><body>HTTP Status 404</body></html>"),
        songs: [
            "Bjork/Debut/01 Hunter.flac": [
                TagValue(.album, "Debut"), TagValue(.artist, "Bjork"), TagValue(.date, "1997"), TagValue(.track, "1"),
            ],
            "Bjork/Live.mp3": [TagValue(.title, "Live")], "demo.mp3": [TagValue(.title, "demo")],
        ])

    static let gonic = OtherServer(
        name: "gonic",
        frame: #""status":"ok","version":"1.16.1","type":"gonic","serverVersion":"v0.22.0","openSubsonic":true"#,
        answers: [
            ("ping", "", ""),
            (
                "getOpenSubsonicExtensions", "",
                #""openSubsonicExtensions":[{"name":"transcodeOffset","versions":[1]}]"#
            ),
            ("getMusicFolders", "", #""musicFolders":{"musicFolder":[{"id":0,"name":"music"}]}"#),
            ("getScanStatus", "", #""scanStatus":{"scanning":false,"count":1}"#),
            (
                "search3", "songOffset=0",
                #"""
                "searchResult3":{"song":[{"id":"tr-4","album":"album-ab","albumId":"al-4","artist":"artist-a",
                "artistId":"ar-1","artists":[{"id":"ar-1","name":"artist-a"}],"displayArtist":"artist-a",
                "albumArtists":[{"id":"ar-1","name":"artist-a"}],"displayAlbumArtist":"artist-a","contributors":[
                {"role":"composer","artist":{"id":"ar-4","name":"Composer A!"}},
                {"role":"lyricist","artist":{"id":"ar-6","name":"lyr-a"}}],"displayComposer":"","bitRate":900,
                "contentType":"audio/flac","coverArt":"al-4","created":"2019-11-30T00:00:00Z","duration":100,
                "genre":"Rock","genres":[{"name":"Rock"},{"name":"Pop"}],"isDir":false,"isVideo":false,
                "parent":"al-4","path":"artist-a/album-ab/d1-track-0.flac","suffix":"flac","title":"rich-title-d1",
                "track":1,"discNumber":1,"type":"music","mediaType":"song","year":2019,
                "musicBrainzId":"00000000-0000-0000-0000-ab00000000d1","isrc":[],"replayGain":null,"played":""}]}
                """#
            ),
            (
                "search3", "albumOffset=0",
                #"""
                "searchResult3":{"album":[{"id":"al-4","created":"2019-11-30T00:00:00Z","artistId":"ar-1",
                "artist":"artist-a","artists":[{"id":"ar-1","name":"artist-a"}],"displayArtist":"artist-a",
                "title":"album-ab","album":"album-ab","name":"album-ab","songCount":1,"duration":100,"playCount":0,
                "played":"","genres":[{"name":"Rock"}],"year":2019,"isCompilation":false,"releaseTypes":[],
                "recordLabels":[{"name":"A Label"}],"discTitles":[],"musicBrainzId":"","version":""}]}
                """#
            ),
            ("search3", "", #""searchResult3":{}"#), ("getPlaylists", "", #""playlists":{"playlist":[]}"#),
            ("getInternetRadioStations", "", #""internetRadioStations":{"internetRadioStation":[]}"#),
        ],
        unknown: (
            "200 OK",
            #"{"subsonic-response":{"status":"failed","version":"1.16.1","error":{"code":70,"message":"view not found"}}}"#
        ),
        songs: [
            "artist-a/album-ab/d1-track-0.flac": [
                TagValue(.album, "album-ab"), TagValue(.genre, "Pop"), TagValue(.composer, "Composer A!"),
                TagValue(.label, "A Label"), TagValue(.musicBrainzTrackID, "00000000-0000-0000-0000-ab00000000d1"),
            ]
        ])

    static let supysonic = OtherServer(
        name: "supysonic", frame: #""status":"ok","version":"1.12.0""#,
        answers: [
            ("ping", "", ""),
            ("getMusicFolders", "", #""musicFolders":{"musicFolder":[{"id":1,"name":"music"}]}"#),
            (
                "search3", "songOffset=0",
                #"""
                "searchResult3":{"song":[{"id":"0b4a1f6e-59d5-4f04-9f5b-1b3a9d6b1b10","parent":"1","isDir":false,
                "title":"Hunter","album":"Debut","artist":"Bjork","track":1,"size":5120000,
                "contentType":"audio/flac","suffix":"flac","duration":301,"bitRate":900,
                "path":"Bjork/Debut/01 Hunter.flac","isVideo":false,"discNumber":1,"created":"2024-01-05T19:03:41",
                "albumId":"6c5c3b2a-0000-4000-8000-000000000001","artistId":"6c5c3b2a-0000-4000-8000-000000000002",
                "type":"music","year":1997,"genre":"Electronic"}]}
                """#
            ),
            ("search3", "", #""searchResult3":{}"#), ("getPlaylists", "", #""playlists":{"playlist":[]}"#),
            ("getInternetRadioStations", "", #""internetRadioStations":{}"#),
        ],
        unknown: (
            "404 NOT FOUND",
            #"{"subsonic-response":{"status":"failed","version":"1.12.0","error":{"code":0,"message":"Unknown method"}}}"#
        ),
        songs: [
            "Bjork/Debut/01 Hunter.flac": [
                TagValue(.album, "Debut"), TagValue(.genre, "Electronic"), TagValue(.date, "1997"),
            ]
        ])
}

@Suite("Servers other than Navidrome")
struct OtherServersTests {
    @Test(
        "a library comes out of what each of them answers, and a second walk changes nothing",
        arguments: [OtherServer.airsonic, .gonic, .supysonic])
    fileprivate func library(server: OtherServer) async throws {
        let raw = try await RawServer.start { server.answer($0) }
        let (state, log) = (try TemporaryFolder(), LogLines())
        let client = SubsonicClient(
            SubsonicSettings(
                url: raw.url, username: "admin", credential: .password("secret"),
                retries: SubsonicSettings.Retries(count: 0)),
            log: log.logger)
        let library = try Library(path: state.path + "/segue.db")
        let sync = LibrarySync(
            library: library, server: ServerSource(mount: "", client: client, session: NavidromeSession(client)),
            settings: ServerBench.settings, logger: log.logger)
        #expect(try await sync.syncOnce().added == server.songs.count)
        let songs = try await library.allSongs()
        #expect(Set(songs.keys) == Set(server.songs.keys))
        for (path, values) in server.songs {
            for value in values { #expect(songs[path]?.tags.contains(value) == true, "\(path): \(value)") }
        }
        #expect(try await !sync.syncOnce().changedSongs)
        await client.shutDown()
        await raw.stop()
    }
}
