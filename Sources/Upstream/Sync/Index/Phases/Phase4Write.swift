import LibraryIndex

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
