import LibraryIndex
import MPDProtocol
import MusicModel
import Playback
import ServerLoop
import UserLibrary

extension ResponseWriter {
    /// Appends the entries of the queue that match a query, as MPD's `PrintQueue`.
    @ServerActor
    mutating func queueMatches(_ query: SongQuery, in context: CommandContext) async throws {
        let entries = context.player.entries
        let window = query.window ?? 0..<Int.max
        if query.sort == nil, window.lowerBound > entries.count { throw AckError(.argument, "Bad song index") }
        let matches = try await QueueSearch(entries: entries, library: context.server.library).positions(of: query)
        if query.sort != nil, window.lowerBound > matches.count { throw AckError(.argument, "Bad song index") }
        let positions = matches.dropFirst(window.lowerBound).prefix(window.count)
        try await queueEntries(entries, at: Array(positions), in: context)
    }
}

private struct QueueSearch {
    let entries: QueueEntries
    let library: Library

    private static let batchSize = 512

    /// The positions of the entries that match, sorted if the query asks for it; a large queue takes milliseconds.
    @concurrent
    func positions(of query: SongQuery) async throws -> [Int] {
        if let positions = try await foundByIndex(query) { return positions }
        var matches = try await matches(query)
        if let sort = query.sort { matches.sort { QueueMatch.areInOrder($0, $1, by: sort) } }
        return matches.map(\.position)
    }

    /// Lets the index find and sort the matches; nil where the queue has other entries than songs of the index.
    private func foundByIndex(_ query: SongQuery) async throws -> [Int]? {
        // The index knows nothing of priorities, nor of the tags that a cue sheet has for a song.
        if case .priority? = query.sort?.key { return nil }
        if entries.hasSheetTags || query.filter.asksForPriority { return nil }
        var songs: [SongID] = []
        songs.reserveCapacity(entries.count)
        entries.forEach(in: 0..<entries.count) { _, _, item, _ in if let id = item.songID { songs.append(id) } }
        guard songs.count == entries.count else { return nil }
        guard let found = try await library.index.places(of: query.filter, among: songs) else { return nil }
        guard let sort = query.sort else { return found }
        return try await library.index.order(of: found.map { songs[$0] }, by: sort).map { found[$0] }
    }

    private func matches(_ query: SongQuery) async throws -> [QueueMatch] {
        let search = try await library.index.search(for: query.filter)
        var matches: [QueueMatch] = []
        var start = 0
        while start < entries.count {
            let batch = entries[start..<min(start + Self.batchSize, entries.count)]
            let found = try await library.index.songs(behind: batch.map(\.item), alsoGone: true)
            let songs = zip(found, batch).map { $0?.entry($1.range, sheetTags: $1.sheetTags) }
            let priorities = batch.map(\.priority)
            for place in try await search.places(in: zip(songs, priorities).map { ($0, $1) }) {
                guard let song = songs[place] else { continue }
                let position = batch.startIndex + place
                matches.append(QueueMatch(position: position, song: song, priority: priorities[place], query.sort))
            }
            start += batch.count
        }
        return matches
    }
}

private struct QueueMatch {
    let position: Int
    let number: Int64
    let text: String

    init(position: Int, song: Song, priority: Int, _ sort: SongSort?) {
        self.position = position
        switch sort?.key {
        case .lastModified: (number, text) = (song.lastModified ?? -1, "")
        case .added: (number, text) = (song.added ?? -1, "")
        case .priority: (number, text) = (Int64(priority), "")
        case .tag(let tag):
            let value = song.first(tag) ?? tag.sortFallbacks.lazy.compactMap(song.first).first ?? ""
            // Discs and tracks compare as numbers: "2" before "10".
            let isNumeric = tag == .disc || tag == .track
            number = isNumeric ? Int64(value.prefix { $0.isASCII && $0.isNumber }) ?? 0 : 0
            text = isNumeric ? "" : value
        case nil: (number, text) = (0, "")
        }
    }

    /// True if one match belongs before the other; equal ones stay in the order of the queue.
    static func areInOrder(_ first: QueueMatch, _ second: QueueMatch, by sort: SongSort) -> Bool {
        let (left, right) = sort.isDescending ? (second, first) : (first, second)
        if left.number != right.number { return left.number < right.number }
        if !left.text.utf8.elementsEqual(right.text.utf8) {
            return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        }
        return first.position < second.position
    }
}

extension SongFilter {
    /// True if entries of one song may differ in whether they match.
    fileprivate var asksForPriority: Bool {
        switch self {
        case .priority: true
        case .and(let parts): parts.contains(where: \.asksForPriority)
        case .not(let inner): inner.asksForPriority
        default: false
        }
    }
}
