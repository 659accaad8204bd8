import MusicModel
import UserLibrary

/// Tells which songs got other stars or ratings, by comparing all of them with what they were.
///
/// MPD's event `sticker` says only that something has changed, and comes for counted plays as well.
/// - Isolation: any; one caller at a time.
struct MarkChanges {
    private struct Marks: Equatable {
        var starred: Set<SongID>
        var ratings: [SongID: Int]
        var albums: [String: ShownMarks]
        var artists: [String: ShownMarks]
    }

    /// The songs whose marks have changed.
    enum Change: Equatable {
        /// These songs; none where something else has changed.
        case songs([SongID])
        /// So many songs that they are better read anew, or also albums or artists.
        case everything
    }

    /// How many songs are worth naming.
    private static let mostNamed = 50

    private let library: Library
    private var last: Marks?

    init(_ library: Library) { self.library = library }

    /// Whether it knows what to compare with.
    var hasBegun: Bool { last != nil }

    /// Forgets what it knows, while no page wants to hear.
    mutating func forget() { last = nil }

    /// The changes since the last time; everything the first time.
    @concurrent
    mutating func next() async throws -> Change {
        let songs = try await library.markedSongs()
        let now = Marks(
            starred: songs.starred, ratings: songs.ratings,
            albums: try await library.shownMarks(of: .album), artists: try await library.shownMarks(of: .artist))
        let before = last
        last = now
        guard let before, before.albums == now.albums, before.artists == now.artists else { return .everything }
        var changed = before.starred.symmetricDifference(now.starred)
        if before.ratings != now.ratings {
            for song in Set(before.ratings.keys).union(now.ratings.keys)
            where before.ratings[song] != now.ratings[song] { changed.insert(song) }
        }
        guard changed.count <= Self.mostNamed else { return .everything }
        return .songs(changed.sorted { $0.rawValue < $1.rawValue })
    }
}
