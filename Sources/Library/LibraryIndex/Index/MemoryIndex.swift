import GRDB
import MusicModel
import Synchronization

/// The description that the index gives of itself, by which what memory has of it is judged.
struct IndexState: Sendable {
    var generation: Int64
    var hasPlaylistFiles: Bool

    /// Reads it inside the caller's transaction.
    init(_ database: Database) throws {
        let row = try SQLStatement(
            database,
            "SELECT generation, EXISTS (SELECT 1 FROM playlist_file) FROM library")
        (generation, hasPlaylistFiles) = try row.first { (row.int(0), row.int(1) != 0) } ?? (-1, true)
    }
}

/// The index in memory at one generation, as far as it is there, for answers that need nothing else.
struct MemoryIndex: Sendable {
    let order: WalkOrder
    /// nil until they were needed.
    let texts: TreeTexts?
    let blocks: BlockMemory
    let hasPlaylistFiles: Bool
}

/// Thrown where an answer needs more than memory has; it is then read from the index.
struct NotInMemory: Error {}

extension MusicIndex {
    /// The part of the index in memory as it is now; nil where the order of the tree is still to be read.
    ///
    /// It asks the index only after something was written to it, which mostly is not about songs.
    func memory() -> MemoryIndex? {
        let writes = database.writeCount
        if let known = cache.memory(afterWrites: writes) { return known }
        guard let state = database.quickly({ try IndexState($0) }) else { return nil }
        return cache.memory(state, afterWrites: writes)
    }

    /// Has a tag's column read in the background, after a search that it would have made cheap.
    func wantColumn(_ tag: Tag, _ order: WalkOrder) {
        guard cache.firstToWant(.column(tag), order) else { return }
        Task.detached(priority: .utility) { [self] in
            try await read { [cache] database in
                _ = try cache.column(database, tag, order: try cache.order(database)).texts(folded: true)
            }
        }
    }

    /// Has the paths and names read in the background, for clients that browse.
    func wantTexts(_ memory: MemoryIndex) {
        guard memory.texts == nil, cache.firstToWant(.texts, memory.order) else { return }
        Task.detached(priority: .utility) { [self] in
            try await read { [cache] database in
                _ = try cache.texts(database, order: try cache.order(database))
            }
        }
    }
}
