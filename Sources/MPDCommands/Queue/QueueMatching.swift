import Library
import MPDProtocol
import MusicModel
import Playback
import ServerLoop

extension ResponseWriter {
    /// Appends the entries of the queue that match a query.
    ///
    /// - Throws: `AckError` 2 for a window that starts beyond the queue or, sorted, beyond the matches.
    /// - Isolation: ServerActor; suspends for the index and the client.
    /// - Source: MPD v0.24.13 src/queue/Print.cxx `PrintQueue`.
    @ServerActor
    mutating func queueMatches(_ query: SongQuery, in context: CommandContext) async throws {
        let entries = context.player.entries
        let window = query.window ?? 0..<Int.max
        if query.sort == nil, window.lowerBound > entries.count { throw AckError(.argument, "Bad song index") }
        var matches = try await QueueMatch.all(of: query, in: entries, library: context.server.library)
        if let sort = query.sort {
            if window.lowerBound > matches.count { throw AckError(.argument, "Bad song index") }
            matches.sort { QueueMatch.areInOrder($0, $1, by: sort) }
        }
        let positions = matches.dropFirst(window.lowerBound).prefix(window.count).map(\.position)
        try await queueEntries(entries, at: positions, in: context)
    }
}

/// An entry of the queue that matches a query, with what it is sorted by.
private struct QueueMatch {
    /// Its place in the queue.
    let position: Int
    let number: Int64
    let text: String

    private static let batchSize = 512

    @ServerActor
    static func all(of query: SongQuery, in entries: [QueueEntry], library: Library) async throws -> [QueueMatch] {
        let isMatch = try Library.matcher(for: query.filter)
        var matches: [QueueMatch] = []
        var start = 0
        while start < entries.count {
            let batch = entries[start..<min(start + batchSize, entries.count)]
            let songs = try await library.songs(behind: batch.map(\.item))
            for (entry, song) in zip(batch.indices, songs) {
                guard let song, isMatch(song, entries[entry].priority) else { continue }
                matches.append(QueueMatch(position: entry, song: song, priority: entries[entry].priority, query.sort))
            }
            start += batch.count
        }
        return matches
    }

    private init(position: Int, song: Song, priority: Int, _ sort: SongSort?) {
        self.position = position
        switch sort?.key {
        case .lastModified: (number, text) = (song.lastModified ?? -1, "")
        case .added: (number, text) = (song.added ?? -1, "")
        case .priority: (number, text) = (Int64(priority), "")
        case .tag(let tag):
            let value = song.first(tag) ?? tag.fallbacks.lazy.compactMap(song.first).first ?? ""
            // Discs and tracks compare as numbers: "2" before "10".
            let isNumeric = tag == .disc || tag == .track
            number = isNumeric ? Int64(value.prefix { $0.isASCII && $0.isNumber }) ?? 0 : 0
            text = isNumeric ? "" : value
        case nil: (number, text) = (0, "")
        }
    }

    /// Whether one match belongs before the other; equal ones stay in the order of the queue.
    static func areInOrder(_ first: QueueMatch, _ second: QueueMatch, by sort: SongSort) -> Bool {
        let (left, right) = sort.isDescending ? (second, first) : (first, second)
        if left.number != right.number { return left.number < right.number }
        if left.text != right.text { return left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }
        return first.position < second.position
    }
}
