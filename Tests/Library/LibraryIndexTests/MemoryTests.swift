import LibrarySamples
import MusicModel
import Testing

@testable import LibraryIndex

@Suite("Answers out of memory")
struct MemoryTests {
    private static let paths = ["a", "B/1", "B/2", "B/c/d/3", "B/e/4", "B.x/5", "f/6"]

    private static let titles = TagMask(.title)

    private static func library() async throws -> TestIndex {
        try await TestIndex(paths.map { song($0, modified: 86_400, (.title, "T \($0)"), (.genre, "G")) })
    }

    /// Everything that clients browse by path, with all tags and with one.
    private static func answers(_ index: MusicIndex) async throws -> [String] {
        var answers: [String] = []
        for mask in [TagMask.standard, titles] {
            for path in ["", "B", "B/c", "B/c/d", "B/e", "B.x", "f"] + paths {
                answers.append(try await index.listDirectory(path, mask: mask).text())
                answers.append(try await index.walk(path, detail: .blocks, mask: mask).text())
                answers.append(try await index.walk(path, detail: .uris, mask: mask).text())
            }
        }
        return answers
    }

    @Test("Folders, songs and trees are the same out of memory as out of the index")
    func sameAnswers() async throws {
        let test = try await Self.library()
        // Where there are playlist files, whose lines are not kept in memory, the index is asked.
        let file = FoundPlaylistFile(path: "nowhere/x.m3u", source: "/x.m3u", modified: 1)
        _ = try await test.index.replacePlaylistFiles([file], mount: "m")
        let time = "Last-Modified: 1970-01-01T00:00:01Z\n"
        let fromIndex = try await Self.answers(test.index).map { answer in
            ["directory: nowhere\n", "playlist: nowhere/x.m3u\n"].reduce(answer) {
                $0.replacing($1 + time, with: "").replacing($1, with: "")
            }
        }
        _ = try await test.index.replacePlaylistFiles([], mount: "m")
        _ = try await Self.answers(test.index)
        _ = try await test.index.walk("", detail: .uris, mask: .standard).text()
        let memory = try #require(test.index.memory)
        #expect(memory.parts.texts != nil)
        for song in memory.order.songs { #expect(memory.parts.blocks.block(of: song) != nil) }
        #expect(try await Self.answers(test.index) == fromIndex)
    }

    @Test("What is not there is not found in memory either")
    func missing() async throws {
        let test = try await Self.library()
        _ = try await Self.answers(test.index)
        for path in ["b", "B/", "B/3", "B/c/d/3/", "x/y", "/"] {
            await #expect(throws: LibraryError.self) {
                _ = try await test.index.listDirectory(path, mask: .standard)
            }
        }
    }

    @Test("After a change of the library nothing old is said; other writes make no difference")
    func changes() async throws {
        let test = try await Self.library()
        _ = try await Self.answers(test.index)
        try await test.index.setFact("a", "b")
        #expect(try await test.index.listDirectory("f/6", mask: Self.titles).text().contains("Title: T f/6\n"))
        _ = try await test.index.apply(
            LibraryChanges(mount: "", upserts: [song("f/6", hash: 2, (.title, "New"))], removals: ["B/1"]))
        #expect(try await test.index.listDirectory("f/6", mask: Self.titles).text().contains("Title: New\n"))
        #expect(!(try await test.index.listDirectory("B", mask: .standard).text().contains("file: B/1\n")))
        _ = try await test.index.walk("", detail: .blocks, mask: .standard).text()
        _ = try await test.index.walk("", detail: .uris, mask: .standard).text()
        #expect(try await test.index.listDirectory("f/6", mask: Self.titles).text().contains("Title: New\n"))
        #expect(!(try await test.index.walk("B", detail: .blocks, mask: .standard).text().contains("file: B/1\n")))
    }

    @Test("A memory of blocks takes what fits, and keeps what it has")
    func limits() {
        let memory = BlockMemory(capacity: 100_000, limit: 2 << 20)
        let long = [UInt8](repeating: 7, count: 1000)
        for song in 0..<UInt32(100_000) {
            let length = Int(song) % 999 + 1
            long.withUnsafeBytes {
                memory.remember(UnsafeRawBufferPointer(rebasing: $0[..<length]), of: song, isScanned: false)
            }
        }
        let kept = (0..<UInt32(100_000)).filter { memory.block(of: $0) != nil }
        #expect(kept.count > 3000 && kept.count < 5000)
        for song in kept { #expect(memory.block(of: song)?.count == Int(song) % 999 + 1) }
        #expect(memory.block(of: 100_000) == nil)
    }

    @Test("Nothing is remembered without room, nor blocks of great length")
    func noRoom() {
        let none = BlockMemory(capacity: 10, limit: 1000)
        let some = BlockMemory(capacity: 10, limit: 1 << 20)
        let block = [UInt8](repeating: 1, count: 40_000)
        block.withUnsafeBytes {
            none.remember(UnsafeRawBufferPointer(rebasing: $0[..<10]), of: 1, isScanned: false)
            some.remember($0, of: 1, isScanned: true)
            some.remember(UnsafeRawBufferPointer(rebasing: $0[..<10]), of: 2, isScanned: true)
        }
        #expect(none.block(of: 1) == nil && some.block(of: 1) == nil && some.block(of: 2)?.count == 10)
    }

    @Test("A list of everything leaves half of the memory to searches, unless everything fits")
    func scans() {
        let large = BlockMemory(capacity: 100_000, limit: 4 << 20)
        let small = BlockMemory(capacity: 4_000, limit: 4 << 20)
        let block = [UInt8](repeating: 1, count: 1000)
        func remember(_ memory: BlockMemory, _ songs: Range<UInt32>, isScanned: Bool) -> Int {
            for song in songs { block.withUnsafeBytes { memory.remember($0, of: song, isScanned: isScanned) } }
            return songs.count { memory.block(of: $0) != nil }
        }
        #expect((2000..<2200).contains(remember(large, 0..<5000, isScanned: true)))
        #expect((2000..<2200).contains(remember(large, 5000..<10_000, isScanned: false)))
        #expect(remember(small, 0..<4000, isScanned: true) == 4000)
    }

    @Test("A text is found where it stands first, wherever its rarest letter is")
    func byteSearch() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...150, using: &random)).map { _ in
                "eavz É".utf8.randomElement(using: &random) ?? 0
            }
            let needle = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                "eavz É".utf8.randomElement(using: &random) ?? 0
            }
            let start = Int.random(in: 0...10, using: &random)
            let expected = text.indices.first {
                $0 >= start && text[$0...].starts(with: needle)
            }
            text.withUnsafeBytes { bytes in
                #expect(ByteSearch(needle).first(in: bytes, from: start) == expected, "\(text) \(needle) \(start)")
            }
        }
    }

    @Test("Genres are compared in memory as in the index, with and without regard to case, with several values")
    func equality() async throws {
        let test = try await TestIndex(
            (0..<400).map { number in
                number % 40 == 0
                    ? song("\(number)", (.title, "t"), (.genre, "Rock"), (.genre, "Jazz"))
                    : song("\(number)", (.title, "t"), (.genre, number % 2 == 0 ? "Jazz" : "rock"))
            })
        let filters: [SongFilter] = [
            .tag(.genre, .equals, "Rock"), .tag(.genre, .equals, "rock", folds: true),
            .tag(.genre, .equals, "Jazz", not: true), .tag(.genre, .equals, "Roc"),
            .tag(.genre, .equals, "JAZZ", folds: true), .tag(.genre, .contains, "azz"),
            .tag(.genre, .startsWith, "ock", folds: true), .tag(.genre, .equals, ""),
        ]
        var found: [[[String]]] = [[], []]
        for isInMemory in [0, 1] {
            for filter in filters { found[isInMemory].append(try await test.uris(filter)) }
            // Lists read the column.
            _ = try await test.index.list(.genre, filter: .all, groups: [])
        }
        #expect(found[0] == found[1])
        #expect(found[0].map(\.count) == [10, 210, 200, 0, 200, 200, 0, 0])
    }
}
