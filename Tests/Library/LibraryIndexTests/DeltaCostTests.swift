import GRDB
import LibrarySamples
import MusicModel
import Testing

@testable import LibraryIndex

@Suite("What a small change costs")
struct DeltaCostTests {
    private func songs(_ count: Int) -> [IndexedSong] {
        (0..<count).map { place in
            song(
                "Artist \(place / 100)/Album \(place / 10)/\(place % 10)", id: "\(place)", (.title, "Title \(place)"),
                (.artist, "Artist \(place / 100)"), (.album, "Album \(place / 10)"))
        }
    }

    /// How many rows of all tables a change of ten titles writes, and how many the same walk again.
    private func rowsWritten(of count: Int) async throws -> (changed: Int, unchanged: Int) {
        let test = try await TestIndex(songs(count))
        func total() async throws -> Int { try await test.index.write { $0.totalChangesCount } }
        let touched = songs(count).prefix(10).map { old in
            var new = old
            new.tags[0] = TagValue(.title, "New \(old.sourceID)")
            new.hash = 2
            return new
        }
        let start = try await total()
        let applied = try await test.index.apply(LibraryChanges(mount: "", upserts: touched))
        #expect(applied.updated.count == 10)
        let middle = try await total()
        let again = try await test.index.apply(LibraryChanges(mount: "", upserts: touched))
        #expect(!again.changedAnything)
        return (middle - start, try await total() - middle)
    }

    @Test("ten changed songs write as few rows in a large library as in a small one, and no change writes none")
    func rows() async throws {
        let small = try await rowsWritten(of: 100)
        let large = try await rowsWritten(of: 5_000)
        #expect(small.unchanged == 0 && large.unchanged == 0)
        // A song, its text, its old and new title, the links to both, and the trigrams of the new one.
        #expect(large.changed < 10 * 15)
        #expect(large.changed < small.changed + 20)
    }
}
