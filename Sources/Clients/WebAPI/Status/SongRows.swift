import LibraryIndex
import MPDCommands
import MusicModel
import Playback
import UserLibrary

/// A song with what the page shows beside its tags.
struct SongRow: Sendable {
    var song: Song
    var marks = ShownMarks()
    var album: String?
    var artist: String?
    var cover: String?
    var isStream = false
}

/// An entry of the queue on its way to the page.
struct QueueRow: Sendable {
    var position: Int
    var id: QueueEntryID
    var priority: Int
    var duration: Duration?
    var row: SongRow?
}

/// Reads songs for the page, away from the loop.
struct SongRows: Sendable {
    let library: Library

    init(_ library: Library) { self.library = library }

    /// The songs behind items; nil for those that are gone.
    @concurrent
    func rows(of items: [QueueItem]) async throws -> [SongRow?] {
        let songs = try await library.index.songs(behind: items)
        let marks = try await library.shownMarks(of: songs.compactMap { $0?.id })
        return songs.map { song in
            song.map { song in
                SongRow(
                    song: song, marks: song.id.flatMap { marks[$0] } ?? ShownMarks(), isStream: song.id == nil)
            }
        }
    }

    /// What stands in a window of the queue, which may hold 100,000.
    @concurrent
    func rows(of entries: QueueEntries, in window: Range<Int>) async throws -> [QueueRow] {
        try await rows(of: window.map { ($0, entries[$0]) })
    }

    /// Entries of the queue at their places.
    @concurrent
    func rows(of entries: [(position: Int, entry: QueueEntry)]) async throws -> [QueueRow] {
        let songs = try await rows(of: entries.map(\.entry.item))
        return zip(entries, songs).map { place, row in
            QueueRow(
                position: place.position, id: place.entry.id, priority: place.entry.priority,
                duration: place.entry.playingTime, row: row)
        }
    }
}

extension SongRows {
    /// How long all entries of the queue last together; nil where that of some isn't known.
    @concurrent
    func duration(_ snapshot: StatusSnapshot) async throws -> Duration? { nil }
}
