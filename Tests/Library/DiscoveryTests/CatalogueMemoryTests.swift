import Coordination
import Discovery
import Foundation
import LibraryIndex
import LibrarySamples
import MusicModel
import Synchronization
import Testing
import UserLibrary

@Suite("Memory for discovery")
struct CatalogueMemoryTests {
    @Test("a large library is read only if there is memory for its columns; one that is known is not asked for")
    func budget() async throws {
        let use = UseOfMemory()
        let folder = FileManager.default.temporaryDirectory.appending(path: "discovery-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let budget = MemoryBudget(limit: 64 << 20, use: { use.bytes.load(ordering: .relaxed) }, trim: {})
        let library = try Library(
            path: folder.appending(path: "segue.db").path, memoryBudget: budget)
        func add(_ places: Range<Int>) async throws {
            let songs = places.map { song("\($0 / 100)/\($0)", id: "\($0)", (.artist, "Artist \($0 / 100)")) }
            _ = try await library.index.apply(LibraryChanges(mount: "", upserts: songs))
        }
        try await add(0..<9_000)
        use.bytes.store(64 << 20, ordering: .relaxed)
        let small = try #require(try await SongCatalogue.read(library, unless: nil))
        #expect(small.count == 9_000)
        use.bytes.store(0, ordering: .relaxed)
        try await add(9_000..<10_000)
        use.bytes.store(63 << 20, ordering: .relaxed)
        await #expect(throws: MemoryShortage.self) { try await SongCatalogue.read(library, unless: small) }
        use.bytes.store(0, ordering: .relaxed)
        let large = try #require(try await SongCatalogue.read(library, unless: small))
        #expect(large.count == 10_000)
        use.bytes.store(64 << 20, ordering: .relaxed)
        #expect(try await SongCatalogue.read(library, unless: large) == nil)
        // What was set aside is free again.
        use.bytes.store(0, ordering: .relaxed)
        try await budget.reserve(63 << 20, for: "a test").release()
        try library.close()
    }
}

/// How much memory the process says that it uses.
private final class UseOfMemory: Sendable {
    let bytes = Atomic(0)
}
