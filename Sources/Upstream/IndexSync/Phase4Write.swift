import LibraryIndex
import UserLibrary

/// Phase 4: writes what changed, in one transaction; the first sync in several, so that clients see songs as they come.
struct Phase4Write {
    let library: Library
    let mount: String

    /// Writes a finished diff: upserts and removals together, so that songs which only changed their ids are
    /// recognised.
    func finish(_ diff: inout Phase3Diff) async throws -> AppliedChanges? {
        let removals = diff.removals
        let upserts = diff.takeChanged()
        guard !upserts.isEmpty || !removals.isEmpty else { return nil }
        return try await library.index.apply(LibraryChanges(mount: mount, upserts: upserts, removals: removals))
    }

    /// Writes what a first sync has so far; nothing is removed.
    func soFar(_ diff: inout Phase3Diff) async throws -> AppliedChanges? {
        let upserts = diff.takeChanged()
        guard !upserts.isEmpty else { return nil }
        return try await library.index.apply(LibraryChanges(mount: mount, upserts: upserts))
    }
}
