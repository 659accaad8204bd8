import TestSupport
import Testing

@testable import Subsonic

@Suite("Songs that the server finds alike", .timeLimit(.minutes(1)))
struct SimilarityTests {
    @Test("a server that compares sounds says so, and names songs with how alike they are")
    func sound() async throws {
        var options = FakeOptions()
        options.hearsSound = true
        try await withServer(songs: 100, options: options) { server, client in
            #expect(try await client.extensions()[SubsonicClient.sonicSimilarity] == [1])
            let found = try await client.sonicSimilarTracks(id: server.songs[0].id, count: 4)
            #expect(found.map(\.id) == [7, 14, 21, 28].map { server.songs[$0].id })
            #expect(found.first?.similarity == 0.95)
        }
    }

    @Test("a server that doesn't has an empty list, and knows songs by artists")
    func artists() async throws {
        try await withServer(songs: 100) { server, client in
            #expect(try await client.extensions()[SubsonicClient.sonicSimilarity] == nil)
            #expect(try await client.sonicSimilarTracks(id: server.songs[0].id, count: 4).isEmpty)
            let found = try await client.similarSongs(id: server.songs[0].id, count: 3)
            #expect(found.map(\.id) == [11, 22, 33].map { server.songs[$0].id })
            #expect(found.allSatisfy { $0.similarity == nil })
            let artist = try #require(server.songs[0].artists.first)
            #expect(try await client.topSongs(artist: artist, count: 2).first?.id == server.songs[0].id)
            #expect(try await client.similarSongs(id: "none", count: 3).isEmpty)
        }
    }

    @Test(
        "an empty or strange answer is no song, and no likeness beyond 0 to 1 is believed",
        arguments: [
            ("{}", 0), (#"{"similarSongs2":{}}"#, 0), (#"{"similarSongs2":{"song":[{"title":"x"},{"id":""}]}}"#, 0),
            (#"{"similarSongs2":{"song":[{"id":"a","similarity":7},{"id":"b","similarity":-1}]}}"#, 2),
            (#"{"song":[{"entry":{"id":"c"}}]}"#, 1),
        ])
    func strange(inside: String, count: Int) async throws {
        try await withServer(songs: 100) { server, client in
            let members = String(inside.dropFirst().dropLast())
            let body =
                #"{"subsonic-response":{"status":"ok","version":"1.16.1""# + (members.isEmpty ? "" : ",") + members
                + "}}"
            server.setAnswer(of: "getSimilarSongs2", Array(body.utf8))
            let found = try await client.similarSongs(id: "x", count: 3)
            #expect(found.count == count && found.allSatisfy { $0.similarity == nil })
        }
    }

    @Test("artists that are like one, those that the server doesn't have among them; none of an unknown one")
    func similarArtists() async throws {
        try await withServer(songs: 100) { server, client in
            let id = FakeSong.artistID(try #require(server.songs[0].artists.first))
            let found = try await client.similarArtists(id: id, count: 20)
            #expect(found.count == 7 && found.suffix(2).map(\.name) == ["Far Away", "Elsewhere"])
            #expect(found.suffix(2).allSatisfy { $0.id == "-1" })
            #expect(try await client.similarArtists(id: id, count: 3).count == 3)
            #expect(try await client.similarArtists(id: "none", count: 3).isEmpty)
            let recorded = try fixture("getArtistInfo2")
            server.setAnswer(of: "getArtistInfo2", recorded)
            #expect(try await client.similarArtists(id: id, count: 3).isEmpty)
        }
    }
}
