import Foundation
import TestSupport
import Testing
import WebAPI

@testable import Lidarr

@Suite("Albums of Lidarr", .enabled(if: testsEverything))
struct RequestedAlbumTests {
    private func album(_ json: String) throws -> RequestedAlbum? {
        RequestedAlbum(try JSONDecoder().decode(LidarrResource.Album.self, from: Data(json.utf8)))
    }

    private static let id = "6a7f2c0e-3c77-4c0b-9d0e-0123456789ab"

    @Test("are new without a number, asked for when monitored, and here with all songs")
    func states() throws {
        let start = #"{"foreignAlbumId":"\#(Self.id)","title":"Blue""#
        #expect(try album(start + "}")?.state == .new)
        #expect(try album(start + #","id":0}"#)?.state == .new)
        #expect(try album(start + #","id":3,"monitored":false}"#)?.state == .missing)
        #expect(try album(start + #","id":3,"monitored":true}"#)?.state == .asked)
        let all = #","id":3,"monitored":true,"statistics":{"trackFileCount":9,"trackCount":9}}"#
        #expect(try album(start + all)?.state == .here)
    }

    @Test("without an id of MusicBrainz or a title are none")
    func unusable() throws {
        for id in ["", "../../etc", "6a7f2c0e", "6a7f2c0e-3c77-4c0b-9d0e-0123456789zz", Self.id + "&a=b"] {
            #expect(try album(#"{"foreignAlbumId":"\#(id)","title":"Blue"}"#) == nil)
        }
        #expect(try album(#"{"foreignAlbumId":"\#(Self.id)","title":""}"#) == nil)
    }

    @Test("bound what a catalogue that is open to everybody says")
    func bounds() throws {
        let long = "x" + String(repeating: "\u{301}", count: 10_000)
        let found = try #require(
            try album(
                """
                {"foreignAlbumId":"\(Self.id)","title":"\(long)","releaseDate":"99999999999-01-01","id":3,
                 "remoteCover":"http://192.168.1.1/","statistics":{"trackFileCount":-5,"trackCount":12},
                 "artist":{"artistName":"\(long)"}}
                """))
        #expect(found.title.utf8.count == 499 && found.artist.utf8.count == 499)
        #expect(found.year == 9999 && found.picture == nil)
        #expect(found.songs == RequestedAlbum.Songs(have: 0, total: 12))
    }

    @Test("say how far their download is, and what went wrong with it")
    func downloads() throws {
        var found = try #require(
            try album(#"{"foreignAlbumId":"\#(Self.id)","title":"Blue","id":3,"monitored":true}"#))
        func queue(_ json: String) throws -> [LidarrResource.QueueItem] {
            try JSONDecoder().decode([LidarrResource.QueueItem].self, from: Data(json.utf8))
        }
        found.take(try queue(#"[{"size":1000,"sizeleft":250,"trackedDownloadState":"downloading"}]"#))
        #expect(found.state == .loading && found.percent == 75)
        found.take(try queue(#"[{"size":0,"sizeleft":0,"trackedDownloadState":"importPending"}]"#))
        #expect(found.state == .importing && found.percent == nil)
        found.take(
            try queue(
                #"[{"trackedDownloadState":"importFailed","statusMessages":[{"messages":["No files are eligible"]}]}]"#)
        )
        #expect(found.state == .failed && found.problem == "No files are eligible")
        found.take(try queue(#"[{"size":1e308,"sizeleft":-1e308,"trackedDownloadState":"downloading"}]"#))
        #expect(found.percent.map { (0...100).contains($0) } ?? true)
    }
}
