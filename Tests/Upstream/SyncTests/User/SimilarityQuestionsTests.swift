import MusicModel
import Subsonic
import TestSupport
import Testing
import UserLibrary
@testable import Sync

@Suite("Which songs the server finds alike, in the library's numbers", .timeLimit(.minutes(1)))
struct SimilarityQuestionsTests {
    /// A server with a library in step with it.
    private final class Scene {
        let bench: PlaylistBench

        init(hearsSound: Bool = false) async throws {
            var options = FakeOptions()
            options.hearsSound = hearsSound
            bench = try PlaylistBench(try await FakeNavidrome.start(songs: 100, options: options))
            try await bench.pull()
        }

        var questions: SimilarityQuestions {
            SimilarityQuestions(bench.client, bench.library, mount: "")
        }

        /// The library's number of a song of the server.
        func number(_ place: Int) async throws -> SongID {
            let found = try await bench.library.songs(onServer: [bench.server.songs[place].id: 1], mount: "")
            return try #require(found.keys.first)
        }

        func close() async {
            await bench.close()
            await bench.server.stop()
        }
    }

    @Test("a server that compares sounds says how alike they are; the song itself is none of them")
    func sound() async throws {
        let scene = try await Scene(hearsSound: true)
        let song = try await scene.number(0)
        let found = try await scene.questions.related(to: song)
        let neighbour = try await scene.number(7)
        #expect(found[neighbour] == 0.95 && found[song] == nil)
        #expect(!scene.bench.server.requests.contains { $0.call == "getTopSongs" })
        await scene.close()
    }

    @Test("of one that knows artists the first songs count most, and the artist's popular ones a little")
    func artists() async throws {
        let scene = try await Scene()
        let found = try await scene.questions.related(to: try await scene.number(0))
        let (first, second) = (try await scene.number(11), try await scene.number(22))
        #expect(found[first] == 0.8)
        let likeness = try #require(found[second])
        #expect(likeness < 0.8 && likeness > 0.7)
        let artist = scene.bench.server.songs[0].artists.first
        let place = try #require((1..<11).first { scene.bench.server.songs[$0].artists.first == artist })
        let popular = try await scene.number(place)
        #expect(found[popular] == 0.3)
        await scene.close()
    }

    @Test("nothing is asked about a song that is not the server's")
    func unknown() async throws {
        let scene = try await Scene()
        scene.bench.server.forgetRequests()
        let found = try await scene.questions.related(to: SongID(rawValue: 99_999))
        #expect(found.isEmpty)
        #expect(scene.bench.server.requests.isEmpty)
        await scene.close()
    }
}
