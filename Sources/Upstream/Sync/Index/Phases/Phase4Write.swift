import Coordination
import LibraryIndex
import Synchronization

/// Phase 4: writes what changed, in one transaction; the first sync in several, so that clients see songs as they come.
struct Phase4Write: Sendable {
    let index: MusicIndex
    /// Lets writes of a source that is taken out meanwhile fail.
    var gate = WriteGate()

    /// Writes a finished diff: upserts and removals together, so that songs which only changed their ids are
    /// recognised.
    func finish(_ changes: LibraryChanges) async throws -> AppliedChanges? {
        guard !changes.upserts.isEmpty || !changes.removals.isEmpty else { return nil }
        return try await gate.run { try await index.apply(changes) }
    }

    /// Writes what a first sync has so far; nothing is removed.
    func soFar(_ upserts: [IndexedSong], mount: String) async throws -> AppliedChanges? {
        guard !upserts.isEmpty else { return nil }
        return try await gate.run { try await index.apply(LibraryChanges(mount: mount, upserts: upserts)) }
    }

    /// Replaces what is known of the playlist files of a folder; true if anything changed.
    func playlistFiles(_ files: [FoundPlaylistFile], mount: String, below start: String) async throws -> Bool {
        try await gate.run { try await index.replacePlaylistFiles(files, mount: mount, below: start) }
    }
}

/// Lets the writes of a source pass one at a time, until the source is taken out.
final class WriteGate: Sendable {
    private let isClosed = Mutex(false)
    private let turn = ConcurrencyLimit(1)

    func run<Value: Sendable>(_ write: @Sendable () async throws -> Value) async throws -> Value {
        try await turn.acquire()
        defer { turn.release() }
        if isClosed.withLock(\.self) { throw CancellationError() }
        return try await write()
    }

    /// Keeps everything that is still under way from writing. Waits for a write that has begun, also when the caller
    /// is cancelled.
    func close() async {
        isClosed.withLock { $0 = true }
        await Task { if (try? await turn.acquire()) != nil { turn.release() } }.value
    }
}
