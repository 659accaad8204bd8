import Foundation
import LibraryIndex
import MPDCommands
import MusicModel
import Playback
import Synchronization
import UserLibrary

/// A song with everything that the page shows besides its tags.
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
        try await rows(of: try await library.index.songs(behind: items))
    }

    private func rows(of songs: [Song?]) async throws -> [SongRow?] {
        let marks = try await library.shownMarks(of: songs.compactMap { $0?.id })
        let catalog = songs.contains { $0?.id != nil } ? try await library.index.catalog() : nil
        let stations = songs.contains { $0 != nil && $0?.id == nil } ? try await stations() : [:]
        return songs.map { song in
            song.map { song in
                var row = row(of: song, marks, catalog)
                if row.isStream, let station = stations[song.uri] {
                    row.cover = OutsidePicturesResource.key(of: station)
                    // One that was not heard yet has told nothing of itself.
                    if song.first(.name) == nil { row.song.tags.append(TagValue(.name, station.name)) }
                }
                return row
            }
        }
    }

    private func stations() async throws -> [String: Station] {
        Dictionary(
            try await library.stations().map { (Song(stream: $0.url, tags: []).uri, $0) },
            uniquingKeysWith: { first, _ in first })
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
    static func name(_ id: UInt64) -> String { id.padded(to: 16, radix: 16) }

    /// The number that a name stands for; nil for one that is none.
    static func id(_ name: String) -> UInt64? { name.utf8.count == 16 ? UInt64(name, radix: 16) : nil }

    /// The key of an album's picture; it changes with the picture.
    static func cover(_ album: Catalog.Album) -> String {
        "a\(name(album.id))-\(String(album.pictureVersion, radix: 16))"
    }

    /// The rows in a window of the queue, which may hold 100,000.
    @concurrent
    func rows(of entries: QueueEntries, in window: Range<Int>) async throws -> [QueueRow] {
        try await rows(of: window.map { ($0, entries[$0]) })
    }

    @concurrent
    func rows(of entries: [(position: Int, entry: QueueEntry)]) async throws -> [QueueRow] {
        let found = try await library.index.songs(behind: entries.map(\.entry.item), alsoGone: true)
        let songs = zip(found, entries).map { $0?.entry($1.entry.range, sheetTags: $1.entry.sheetTags) }
        return zip(entries, try await rows(of: songs)).map { entry, row in
            QueueRow(
                position: entry.position, id: entry.entry.id, priority: entry.entry.priority,
                duration: entry.entry.playingTime, row: row)
        }
    }
}

extension SongRows {
    @concurrent
    func times(_ snapshot: StatusSnapshot) async throws -> QueueTimes {
        let status = snapshot.status
        let key = QueueDurations.Key(player: snapshot.player, version: status.queueVersion)
        let sums = durations.sums(key, snapshot.entries)
        return QueueTimes(
            whole: sums.map { .milliseconds($0.whole) },
            remaining: sums.flatMap { sums in
                status.songPosition.map { .milliseconds(sums.from($0, snapshot.entries)) }
            })
    }
}

/// How long a queue lasts; nil where the length of an entry isn't known.
struct QueueTimes: Sendable {
    var whole: Duration?
    /// The entries from the current one on, that one in whole; nil also without a current one.
    var remaining: Duration?
}

/// How long queues last, by their versions: it takes a pass over every entry, and nothing changes most of the time.
private final class QueueDurations: Sendable {
    struct Key: Hashable {
        var player: ObjectIdentifier
        var version: UInt32
    }

    /// The sums of the lengths before each block of entries, in milliseconds.
    struct Sums {
        static let block = 512
        var before: [Int64] = []
        var whole: Int64 = 0

        /// Nil where the length of an entry isn't known, as that of a station.
        init?(_ entries: QueueEntries) {
            for (index, entry) in entries.enumerated() {
                guard let duration = entry.playingTime else { return nil }
                if index.isMultiple(of: Self.block) { before.append(whole) }
                whole = whole.addingClamped(Self.milliseconds(duration))
            }
        }

        func from(_ position: Int, _ entries: QueueEntries) -> Int64 {
            let block = position / Self.block
            guard position < entries.count, before.indices.contains(block) else { return 0 }
            var passed = before[block]
            for entry in entries[block * Self.block..<position] {
                passed = passed.addingClamped(entry.playingTime.map(Self.milliseconds) ?? 0)
            }
            return max(0, whole - min(passed, whole))
        }

        private static func milliseconds(_ duration: Duration) -> Int64 {
            let parts = duration.components
            return parts.seconds.multipliedClamped(by: 1000).addingClamped(parts.attoseconds / 1_000_000_000_000_000)
        }
    }

    private let known = Mutex<[(key: Key, sums: Sums?)]>([])

    func sums(_ key: Key, _ entries: QueueEntries) -> Sums? {
        if let found = known.withLock({ known in known.first { $0.key == key } }) { return found.sums }
        let sums = Sums(entries)
        known.withLock { known in
            known.removeAll { $0.key.player == key.player }
            known.append((key, sums))
        }
        return sums
    }
}

extension JSONWriter {
    mutating func song(_ row: SongRow) { object { $0.songFields(row) } }

    /// Writes an entry of the queue; a song that is gone has its place only.
    mutating func queueRow(_ entry: QueueRow) {
        object { json in
            json.field("queueId", String(entry.id.rawValue))
            json.field("position", entry.position)
            json.field("priority", entry.priority)
            json.songFields(entry.row ?? SongRow(song: Song(uri: "")), duration: entry.duration)
        }
    }

    mutating func field(_ key: StaticString, _ entry: QueueRow?) {
        field(key) { json in
            if let entry { json.queueRow(entry) } else { json.null() }
        }
    }

    mutating func songFields(_ row: SongRow, duration: Duration? = nil) {
        let song = row.song
        let artists = song.tags.filter { $0.tag == .artist }.map(\.value)
        field("id", song.id.map { String($0.rawValue) })
        field("uri", song.uri)
        field("title", song.first(.title) ?? song.first(.name) ?? Self.fileName(of: song.uri))
        field("artist", artists.first ?? song.first(.albumArtist) ?? "")
        field("artists", artists)
        field("album", song.first(.album))
        field("albumId", row.album)
        field("albumArtist", song.first(.albumArtist))
        field("artistId", row.artist)
        field("track", song.first(.track).flatMap(Self.leadingNumber))
        field("disc", song.first(.disc).flatMap(Self.leadingNumber))
        field("year", (song.first(.originalDate) ?? song.first(.date)).flatMap(DateText.year))
        field("genres", song.tags.filter { $0.tag == .genre }.map(\.value))
        field("duration", duration ?? song.duration)
        field("starred", row.marks.isStarred)
        field("rating", row.marks.rating)
        field("cover", row.cover)
        field("stream", row.isStream)
        field("name", row.isStream ? song.first(.name) : nil)
        field("added", song.added.map(Self.time))
    }

    static func time(_ unixTime: Int64) -> String {
        // The form goes from the year 1 to 9999.
        let bounded = min(max(unixTime, -62_135_596_800), 253_402_300_799)
        return Date(timeIntervalSince1970: TimeInterval(bounded)).ISO8601Format()
    }

    /// The last part, of addresses that end with a slash, too.
    private static func fileName(of uri: String) -> String { uri.pathParts.last.map { String($0) } ?? uri }

    /// The number with which a text begins, as in `3/12` and `1999-04-01`.
    static func leadingNumber(_ text: String) -> Int? { Int(text.prefix { $0.isASCII && $0.isNumber }.prefix(9)) }
}
