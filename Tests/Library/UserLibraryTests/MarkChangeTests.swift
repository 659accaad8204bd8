import LibraryIndex
import LibrarySamples
import MusicModel
import Testing

@testable import UserLibrary

@Suite("Notes of changed marks")
struct MarkChangeTests {
    @Test("hold the songs whose star or rating changed, once, and none that changed otherwise")
    func songs() async throws {
        let test = try await TestLibrary([song("a.flac", id: "1"), song("b.flac", id: "2"), song("c.flac", id: "3")])
        let library = test.library
        let numbers = try await test.numbers()
        let (a, c) = (try #require(numbers["a.flac"]), try #require(numbers["c.flac"]))
        func set(_ name: String, _ path: String, _ value: String) async throws {
            _ = try await library.setSticker(name, of: .song(try #require(numbers[path])), to: value)
        }
        try await set("rating", "a.flac", "3")
        #expect(try await library.takeMarkChanges() == ChangedMarks(), "nothing is noted before it is wanted")
        try await library.noteMarkChanges(true)
        #expect(try await library.takeMarkChanges() == ChangedMarks())
        try await set("rating", "a.flac", "3")
        try await set("playCount", "b.flac", "12")
        #expect(try await library.takeMarkChanges().songs == [])
        try await set("rating", "a.flac", "7")
        try await set("like", "a.flac", "2")
        try await set("like", "c.flac", "2")
        let changed = try await library.takeMarkChanges()
        #expect(Set(changed.songs) == [a, c] && changed.songs.count == 2)
        #expect(!changed.hasOthers)
        #expect(try await library.takeMarkChanges() == ChangedMarks(), "each is told once")
        _ = try await library.deleteSticker("rating", of: .song(a))
        #expect(try await library.takeMarkChanges().songs == [a])
    }

    @Test("say that albums and the like changed, and end when they are not wanted any more")
    func others() async throws {
        let test = try await TestLibrary([song("a.flac", id: "1", (.album, "X"))])
        let library = test.library
        try await library.noteMarkChanges(true)
        _ = try await library.setSticker("rating", of: .tag(.album, "X"), to: "7")
        let changed = try await library.takeMarkChanges()
        #expect(changed.hasOthers && changed.songs.isEmpty)
        try await library.noteMarkChanges(false)
        _ = try await library.setSticker("rating", of: .tag(.album, "X"), to: "8")
        #expect(try await library.takeMarkChanges() == ChangedMarks())
        // Twice is as good as once.
        try await library.noteMarkChanges(false)
        try await library.noteMarkChanges(true)
        try await library.noteMarkChanges(true)
        #expect(try await library.takeMarkChanges() == ChangedMarks())
    }
}
