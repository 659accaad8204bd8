import MusicModel
import Subsonic
import UserLibrary

extension ServerSync {
    /// Takes the stars, ratings and plays that a walk brought, after its songs are in the index.
    ///
    /// - Parameter clock: what `markClock` said before the walk began.
    func takeMarks(of diff: Phase3Diff, _ details: CatalogDetails, clock: Int64) async throws {
        if diff.knownCount > 0, diff.removals.count == diff.knownCount { try await library.forgetServerCatalog() }
        var hasChanged = try await library.takeSongMarks(diff.marks, others: .all, clock: clock)
        let lists = [(MarkedKind.album, details.albumMarks), (.artist, details.artistMarks)]
        // A server without such lists has nothing to say about them.
        for (kind, marks) in lists where !marks.isEmpty {
            if try await library.takeMarks(of: kind, marks, isCatalog: true, clock: clock) { hasChanged = true }
        }
        if hasChanged { observer.subsystemsChanged(.sticker) }
    }
}
