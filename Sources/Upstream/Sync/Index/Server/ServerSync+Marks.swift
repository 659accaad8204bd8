import MusicModel
import Subsonic
import UserLibrary

extension ServerSync {
    /// Takes the stars, ratings and plays that a walk brought, after its songs are in the index.
    func takeMarks(of walked: Walked) async throws {
        let (diff, details, clock) = (walked.diff, walked.details, walked.clock)
        if !walked.isPart, diff.knownCount > 0, diff.removals.count == diff.knownCount {
            try await library.forgetServerCatalog()
        }
        var hasChanged = try await library.takeSongMarks(
            diff.marks, others: walked.isPart ? [] : .all, clock: clock)
        let lists = [(MarkedKind.album, details.albumMarks), (.artist, details.artistMarks)]
        // A server without such lists has nothing to say about them.
        for (kind, marks) in lists where !marks.isEmpty {
            let isChanged = try await library.takeMarks(of: kind, marks, isCatalog: !walked.isPart, clock: clock)
            hasChanged = hasChanged || isChanged
        }
        if hasChanged { observer.subsystemsChanged(.sticker) }
    }
}
