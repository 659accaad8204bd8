import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("Stars and ratings of albums that share a title")
struct AlbumMarkTests {
    private static let best = StickerObject.tag(.album, "Best")

    /// Two albums of one title by different artists, and one of another title.
    private func library() async throws -> TestLibrary {
        try await TestLibrary([
            song("a.flac", id: "id-a", (.title, "A"), (.album, "Best"), (.artist, "X")),
            song("b.flac", id: "id-b", (.title, "B"), (.album, "Best"), (.artist, "Y"), (.albumArtist, "Y")),
            song("c.flac", id: "id-c", (.title, "C"), (.album, "Other"), (.artist, "X")),
        ])
    }

    /// The server's albums, with those of one title told apart.
    private func take(_ test: TestLibrary, _ marks: ServerItemMarks..., clock: Int64? = nil) async throws {
        let now = try await test.library.markClock()
        _ = try await test.library.takeMarks(of: .album, marks, clock: clock ?? now)
    }

    private func x(starred: Int64 = 0, rating: Int = 0) -> ServerItemMarks {
        ServerItemMarks(serverID: "al-x", name: "Best", artist: "X", starred: starred, rating: rating)
    }

    private func y(starred: Int64 = 0, rating: Int = 0) -> ServerItemMarks {
        ServerItemMarks(serverID: "al-y", name: "Best", artist: "Y", starred: starred, rating: rating)
    }

    @discardableResult
    private func mark(
        _ test: TestLibrary, _ artist: String, _ sticker: String, _ value: String?, title: String = "Best"
    ) async throws -> Bool {
        let catalog = try await test.library.index.catalog()
        let album = try #require(catalog.album(titled: title, by: artist))
        return try await test.library.change(AlbumMarkChange(sticker, to: value, of: album, in: catalog))
    }

    /// What the albums show, as `X2.7` for a star and a rating of 7.
    private func shown(_ test: TestLibrary) async throws -> [String] {
        let marks = try await test.library.albumMarks()
        return try await test.library.index.catalog().albums.filter { $0.title == "Best" }.map { album in
            album.artist + (marks[album].isStarred ? "*" : "") + (marks[album].rating.map { String($0) } ?? "")
        }
    }

    private func edits(_ test: TestLibrary) async throws -> [String] {
        try await test.library.waitingMarkEdits(limit: 100).map { "\($0.serverID) \($0.field) \($0.value)" }
    }

    @Test("One is starred and rated, and not the other; the title's sticker shows the best")
    func alone() async throws {
        let test = try await library()
        #expect(try await mark(test, "X", "like", "2"))
        #expect(try await mark(test, "Y", "rating", "7"))
        #expect(try await !mark(test, "X", "like", "2"))
        #expect(try await shown(test) == ["X*", "Y7"])
        #expect(try await test.library.sticker("like", of: Self.best) == "2")
        #expect(try await test.library.sticker("rating", of: Self.best) == "7")
        try await mark(test, "X", "rating", "4")
        try await mark(test, "X", "like", nil)
        #expect(try await shown(test) == ["X4", "Y7"])
        #expect(try await test.library.sticker("like", of: Self.best) == nil)
        #expect(try await test.library.sticker("rating", of: Self.best) == "7")
    }

    @Test("The sticker of the title is for all of them, and taking it from one leaves it to the others")
    func title() async throws {
        let test = try await library()
        try await test.library.setSticker("like", of: Self.best, to: "2")
        #expect(try await shown(test) == ["X*", "Y*"])
        try await mark(test, "Y", "like", nil)
        #expect(try await shown(test) == ["X*", "Y"])
        #expect(try await test.library.sticker("like", of: Self.best) == "2")
        try await test.library.deleteSticker("like", of: Self.best)
        #expect(try await shown(test) == ["X", "Y"])
        try await mark(test, "Y", "like", "2")
        try await test.library.setSticker("like", of: Self.best, to: "0")
        #expect(try await shown(test) == ["X", "Y"])
    }

    @Test("An album that comes later is not starred because another one of its title is")
    func later() async throws {
        let test = try await library()
        try await mark(test, "X", "like", "2", title: "Other")
        let second = song("d.flac", id: "id-d", (.title, "D"), (.album, "Other"), (.artist, "Z"))
        _ = try await test.library.index.apply(LibraryChanges(mount: "", upserts: [second]))
        let marks = try await test.library.albumMarks()
        for album in try await test.library.index.catalog().albums where album.title == "Other" {
            #expect(marks[album].isStarred == (album.artist == "X"))
        }
    }

    @Test("The server hears of the one album, and its answer is for that one")
    func server() async throws {
        let test = try await library()
        try await take(test, x(), y())
        try await mark(test, "X", "like", "2")
        #expect(try await edits(test) == ["al-x star 1"])
        #expect(try await test.library.waitingForServer().albums == [AlbumName(title: "Best", artist: "X")])
        try await test.library.finishMarkEdits(try await test.library.waitingMarkEdits(limit: 100))
        try await take(test, x(starred: 5), y())
        #expect(try await shown(test) == ["X*", "Y"])
        try await take(test, x(starred: 5), y(rating: 3))
        #expect(try await shown(test) == ["X*", "Y6"])
        try await take(test, x(), y(starred: 9, rating: 3))
        #expect(try await shown(test) == ["X", "Y*6"])
        #expect(try await edits(test).isEmpty)
        try await test.library.setSticker("like", of: Self.best, to: "0")
        #expect(try await edits(test) == ["al-y star 0"])
        #expect(try await shown(test) == ["X", "Y6"])
    }

    @Test("A server that lost its stars gets them again, each on its own album")
    func rebuilt() async throws {
        let test = try await library()
        try await take(test, x(starred: 5), y(rating: 2))
        try await test.library.forgetServerCatalog()
        try await take(test, x(), y())
        #expect(try await edits(test).sorted() == ["al-x star 1", "al-y rating 2"])
        #expect(try await shown(test) == ["X*", "Y4"])
    }

    @Test("What was known before albums were told apart is told apart once their artists are known")
    func updated() async throws {
        let test = try await library()
        try await take(
            test, ServerItemMarks(serverID: "al-x", name: "Best", starred: 5),
            ServerItemMarks(serverID: "al-y", name: "Best", rating: 4))
        try await test.library.setSticker("rating", of: Self.best, to: "7")
        try await test.library.finishMarkEdits(try await test.library.waitingMarkEdits(limit: 100))
        #expect(try await shown(test) == ["X*7", "Y*7"])
        try await take(test, x(starred: 5, rating: 4), y(rating: 4))
        #expect(try await shown(test) == ["X*7", "Y7"], "seven half stars are four stars on the server")
        #expect(try await edits(test).isEmpty)
    }
}
