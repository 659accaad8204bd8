import TestSupport
import Testing

@testable import Subsonic

@Suite("Lists of Navidrome's own API, as they were recorded")
struct NavidromeListsTests {
    private func page<Item: Hashable & Sendable>(
        _ name: String, _ read: (inout JSONReader) throws -> Item?
    ) throws -> [Item] {
        try fixture(name).withUnsafeBytes { bytes in try SubsonicPage(list: bytes, atMost: 100, read) }.items
    }

    @Test("songs have dates, sort names, ids, times and lengths as their files have them")
    func songs() throws {
        let songs = try page("native_songs") { reader in try NavidromeSong(&reader) }
        #expect(songs.map(\.id.count) == [22, 22, 22, 22] && songs.allSatisfy { !$0.isMissing })
        let first = songs[0].details
        #expect(first.date == "1997-09-22" && first.fileDate == "1997-09-22" && first.originalDate == nil)
        #expect(first.artistSort == "Sigurdsdottir, Bjork" && first.albumArtistSort == first.artistSort)
        #expect(first.releaseGroupID == "00001388-1111-4222-8333-0000025c2bf8")
        #expect(first.releaseTrackID?.hasPrefix("000007d3-1111-4222-8333-") == true)
        #expect(first.modified == 1_795_223_324)
        #expect(songs.map(\.details.duration) == [10_000, 16_040, 17_030, 11_020].map { .milliseconds($0) })
        // The release's date of iTunes' tags is the one that the file has.
        #expect(songs[3].details.fileDate == "2020")
    }

    @Test("albums have the time of their last scan, artists their ids at MusicBrainz")
    func others() throws {
        let albums = try page("native_albums") { reader in try NavidromeAlbum(&reader) }
        #expect(albums.map(\.touched) == [1_795_223_760_175, 1_795_223_760_145, 1_795_223_760_153])
        let artists = try page("native_artists") { reader in try NavidromeArtist(&reader) }
        #expect(artists.map(\.name) == ["Second Guest", "Кино-Театр", "Opus Ensemble"])
        #expect(artists.map(\.musicBrainzID) == [nil, nil, "00000fa4-1111-4222-8333-000001e3d21c"])
    }

    @Test("what is no entry is passed over, and a list without an end is cut off")
    func broken() throws {
        func plays(_ json: String, atMost count: Int = 10) throws -> SubsonicPage<NavidromePlay> {
            try Array(json.utf8).withUnsafeBytes { bytes in
                try SubsonicPage(list: bytes, atMost: count) { reader in
                    try NavidromePlay(&reader)
                }
            }
        }
        let play = #"{"id":7,"mediaFileId":"a","submissionTime":1795223324}"#
        let odd = #"[null,5,[],{},{"mediaFileId":"a"},{"submissionTime":1e99,"mediaFileId":"a"},\#(play)]"#
        let page = try plays(odd)
        #expect(page.items == [NavidromePlay(songID: "a", time: 1_795_223_324)] && page.skipped == 6)
        #expect(try plays("[\(Array(repeating: play, count: 50).joined(separator: ","))]", atMost: 3).items.count == 3)
        #expect(try plays("{}").items.isEmpty)
        #expect(throws: JSONProblem.self) { try plays("[{") }
    }
}
