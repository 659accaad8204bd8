import LibraryIndex
import MPDCommands
import MusicModel
import Playback
import Synchronization
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
    private let durations = QueueDurations()

    init(_ library: Library) { self.library = library }

    /// The songs behind items; nil for those that are gone.
    @concurrent
    func rows(of items: [QueueItem]) async throws -> [SongRow?] {
        let songs = try await library.index.songs(behind: items)
        let marks = try await library.shownMarks(of: songs.compactMap { $0?.id })
        let catalog = songs.contains { $0?.id != nil } ? try await library.index.catalog() : nil
        return songs.map { song in song.map { row(of: $0, marks, catalog) } }
    }

    private func row(of song: Song, _ marks: [SongID: ShownMarks], _ catalog: Catalog?) -> SongRow {
        guard let id = song.id else { return SongRow(song: song, isStream: true) }
        var row = SongRow(song: song, marks: marks[id] ?? ShownMarks())
        let album = catalog?.album(of: id)
        row.album = album.map { Self.name($0.id) }
        row.cover = album.map { Self.cover($0) } ?? "s\(id.rawValue)-0"
        row.artist = song.first(.artist).flatMap { catalog?.artist(named: $0) }.map { Self.name($0.id) }
        if row.artist == nil, let album, let catalog { row.artist = Self.name(catalog.artists[album.artistPlace].id) }
        return row
    }

    /// How an album or an artist is named in addresses.
    static func name(_ id: UInt64) -> String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The number that a name stands for; nil for one that is none.
    static func id(_ name: String) -> UInt64? { name.utf8.count == 16 ? UInt64(name, radix: 16) : nil }

    /// By what the picture of an album is fetched; it moves when the picture does.
    static func cover(_ album: Catalog.Album) -> String {
        "a\(name(album.id))-\(String(album.pictureVersion, radix: 16))"
    }

    /// The rows in a window of the queue, which may hold 100,000.
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
    func duration(_ snapshot: StatusSnapshot) async throws -> Duration? {
        let key = QueueDurations.Key(partition: snapshot.partition, version: snapshot.status.queueVersion)
        if let known = durations.known.withLock({ $0.first { $0.key == key }?.duration }) { return known }
        var milliseconds: Int64 = 0
        for entry in snapshot.entries {
            // A song without a length, or a station, leaves the whole open.
            guard let duration = entry.playingTime else { return nil }
            let parts = duration.components
            milliseconds = milliseconds.addingClamped(parts.seconds.multipliedClamped(by: 1000))
                .addingClamped(parts.attoseconds / 1_000_000_000_000_000)
        }
        durations.known.withLock { known in
            known.removeAll { $0.key.partition == key.partition }
            known.append((key, .milliseconds(milliseconds)))
        }
        return .milliseconds(milliseconds)
    }
}

/// How long queues last, by their versions: it takes a look at every entry, and nothing changes most of the time.
private final class QueueDurations: Sendable {
    struct Key: Hashable {
        var partition: String
        var version: UInt32
    }

    let known = Mutex<[(key: Key, duration: Duration)]>([])
}
