import Discovery
import MusicModel
import Testing

@Suite("Reading a wish")
struct WishReadingTests {
    private struct Reader: WishReading {
        let result: Result<PickWish, any Error>

        func read(_ wish: String, _ vocabulary: WishVocabulary) async throws -> PickWish { try result.get() }
    }

    private static let vocabulary = WishVocabulary(genres: ["Jazz", "Rock"], moods: [])

    private func read(_ text: String, _ result: Result<PickWish, any Error>?) async throws -> ReadWish {
        try await ReadWish(text, Self.vocabulary, by: result.map { Reader(result: $0) })
    }

    @Test("rules do it without a server")
    func rules() async throws {
        let read = try await read("calm jazz", nil)
        #expect(read.sentence == "looking for calm, jazz" && read.trouble == nil)
        #expect(try await self.read("xyzzy", nil).wish.isEmpty)
    }

    @Test("a server's reading counts")
    func server() async throws {
        var wish = PickWish()
        wish.genres = ["rock"]
        let read = try await read("calm jazz", .success(wish))
        #expect(read.wish == wish && read.sentence == "looking for rock")
    }

    @Test("rules do it where the server fails or finds nothing, and the answer says so")
    func fallBack() async throws {
        let failed = try await read("calm jazz", .failure(WishReadingError("the prompt server takes too long")))
        #expect(failed.wish.genres == ["jazz"])
        #expect(failed.sentence == "the prompt server takes too long, so rules read it: looking for calm, jazz")
        let empty = try await read("calm jazz", .success(PickWish()))
        #expect(empty.wish.genres == ["jazz"] && empty.trouble != nil)
        let neither = try await read("xyzzy", .failure(WishReadingError("the prompt server answers nonsense")))
        #expect(neither.wish.isEmpty && neither.sentence.contains("so rules read it: the library has no genre"))
    }

    @Test("a wish that is no longer wanted is not read by rules")
    func cancellation() async throws {
        await #expect(throws: CancellationError.self) { try await read("jazz", .failure(CancellationError())) }
    }

    @Test("the names that most songs have come first")
    func vocabulary() {
        let entries = (1...6).map { number in
            SongCatalogue.Entry(
                id: SongID(rawValue: number), artists: [], genres: number < 2 ? [1] : number < 5 ? [2, 3] : [3])
        }
        let names: [UInt32: String] = [1: "Acid", 2: "Blues", 3: "Zydeco", 4: "Gone"]
        #expect(SongCatalogue(entries, genreNames: names).vocabulary.genres == ["Zydeco", "Blues", "Acid", "Gone"])
    }
}
