import MusicModel
import UserLibrary

/// Tells which songs got other stars or ratings.
///
/// MPD's event `sticker` says only that something has changed, and comes for counted plays as well; the database notes
/// what it was while a page is open, so that a change costs what it is, however many marks there are.
struct MarkChanges: Sendable {
    /// The songs whose marks have changed.
    enum Change: Equatable {
        /// These songs; none where something else has changed.
        case songs([SongID])
        /// So many songs that they are better read anew, or also albums or artists.
        case everything
    }

    /// How many songs are worth naming.
    private static let maxNamed = 50

    private let library: Library

    init(_ library: Library) { self.library = library }

    /// Begins to note changes, or ends it.
    func note(_ isOn: Bool) async throws { try await library.noteMarkChanges(isOn) }

    /// The changes since the last time.
    func next() async throws -> Change {
        let changes = try await library.takeMarkChanges()
        guard !changes.hasOthers, changes.songs.count <= Self.maxNamed else { return .everything }
        return .songs(changes.songs.sorted { $0.rawValue < $1.rawValue })
    }
}
