import GRDB
import MusicModel

/// Finds the songs that match a filter, as a set, inside one read transaction. Each comparison becomes SQL over the
/// distinct texts of the tags; AND and NOT are operations on the sets.
/// - Source: MPD v0.24.13 src/song/TagSongFilter.cxx, StringFilter.cxx, BaseSongFilter.cxx, AudioFormatSongFilter.cxx.
struct FilterEvaluation {
    let database: Database
    let cache: AnswerCache
    let order: WalkOrder
    var wantColumn: (Tag) -> Void = { _ in }
    private let budget = MatchingBudget()

    func songs(matching filter: SongFilter) throws -> SongSet {
        switch filter {
        case .all: return order.all
        case .text(let subject, let test):
            let plain = try songs(where: subject, test)
            return test.isNegated ? order.all.subtracting(plain) : plain
        case .base(let path): return try songs(below: path)
        case .modifiedSince(let time): return try songs("modified >= ?", [time], index: "song_modified")
        case .addedSince(let time): return try songs("added >= ?", [time], index: "song_added")
        case .audioFormat(let format): return try songs(of: format)
        case .priority(let priority): return priority <= 0 ? order.all : SongSet()
        case .and(let parts): return try songs(matchingAll: parts)
        case .not(let inner): return order.all.subtracting(try songs(matching: inner))
        }
    }

    private func songs(matchingAll parts: [SongFilter]) throws -> SongSet {
        guard var result = try parts.first.map(songs(matching:)) else { return order.all }
        for part in parts.dropFirst() where !result.isEmpty { result.formIntersection(try songs(matching: part)) }
        return result
    }

    // MARK: Text

    private func songs(where subject: SongFilter.Subject, _ test: StringTest) throws -> SongSet {
        let search = try ValueSearch(database, test, budget)
        switch subject {
        case .file:
            return try UriSearch(database: database, test: test, budget: budget).songs().subtracting(order.hidden)
        case .any: return try songs(withAny: test, search)
        case .tag(let tag): return try songs(withTag: tag, test, search)
        }
    }

    private func songs(withTag tag: Tag, _ test: StringTest, _ search: ValueSearch) throws -> SongSet {
        var result = try songs(withOwn: tag, test, search)
        // Songs that lack the tag so far; nil while it was not needed.
        var lacking: SongSet?
        for other in tag.fallbacks {
            var hits = try songs(withOwn: other, test, search)
            guard !hits.isEmpty || test.value.isEmpty else { continue }
            let without = try self.lacking(tag, before: other)
            hits.formIntersection(without)
            result.formUnion(hits)
            lacking = without
        }
        guard test.value.isEmpty else { return result }
        // An empty needle also means "no such tag at all".
        var absent = try lacking ?? self.lacking(tag, before: nil)
        for other in tag.fallbacks { absent.subtract(try present(other)) }
        result.formUnion(absent)
        return result
    }

    /// The tags that mostly have what is searched for, and whose columns are there for browsing anyway.
    private static let common: [Tag] = [.title, .artist, .album, .albumArtist]

    /// The songs of which a value of any tag passes. One or two letters are almost everywhere: so the columns in memory
    /// come first, and all tags only while a song is left that has not passed.
    private func songs(withAny test: StringTest, _ search: ValueSearch) throws -> SongSet {
        let capacity = order.durations.count
        guard let part = search.part, part.isShort else { return try search.songs(capacity: capacity) }
        var result = SongSet(upTo: Int64(capacity))
        for tag in Self.common {
            result.formUnion(try songs(withOwn: tag, test, search))
            if order.all.subtracting(result).isEmpty { return result }
        }
        let others = ValueSearch.searchable.filter { !Self.common.contains($0) }
        result.formUnion(try search.songs(kinds: others, capacity: capacity))
        return result
    }

    /// The songs of which a value of the tag itself passes: from memory where the column is there, or is worth reading.
    private func songs(withOwn tag: Tag, _ test: StringTest, _ search: ValueSearch) throws -> SongSet {
        if let expression = search.expression {
            return try cache.column(database, tag, order: order).songs(matching: expression)
        }
        if let part = search.part {
            let column =
                part.isShort
                ? try cache.column(database, tag, order: order) : cache.known(order)?.column(tag)
            if let column {
                return column.songs(containing: part.needle, atStart: part.atStart, in: column.texts(for: test))
            }
        } else if !test.value.isEmpty, let column = cache.known(order)?.column(tag),
            column.count * Self.songsThatShare < order.songs.count
        {
            return column.songs(equalTo: search.folded, in: column.texts(for: test))
        }
        let found = try search.songs(kinds: [tag], capacity: order.durations.count)
        if found.count > Self.manySongs { wantColumn(tag) }
        return found
    }

    /// The number of songs for each value, as with genres, that are found faster by running over all of them in memory.
    private static let songsThatShare = 50

    /// The number of songs of a value whose reading costs more than a check of the column.
    private static let manySongs = 500

    /// The songs without `tag` and without its fall-backs nearer than `fallback`.
    private func lacking(_ tag: Tag, before fallback: Tag?) throws -> SongSet {
        var result = order.all.subtracting(try present(tag))
        for other in tag.fallbacks {
            if other == fallback { break }
            if fallback != nil { result.subtract(try present(other)) }
        }
        return result
    }

    private func present(_ tag: Tag) throws -> SongSet { try cache.column(database, tag, order: order).present }

    // MARK: Everything else

    private func songs(below path: String) throws -> SongSet {
        if path.isEmpty { return order.all }
        // The root by MPD's rules, but no song's path begins with it.
        if path == "/" { return SongSet() }
        let trimmed = path.endsWithSlash ? String(Substring(path.utf8.dropLast())) : path
        if let directories = try TreeLookup(database).subtree(of: trimmed, in: order) {
            var result = SongSet(upTo: Int64(order.durations.count))
            for song in order.songs(inDirectories: directories) { result.insert(Int64(song)) }
            return result
        }
        var result = SongSet()
        if let song = try TreeLookup(database).song(at: path) { result.insert(song) }
        return result
    }

    private func songs(of format: AudioFormat) throws -> SongSet {
        let condition = """
            walk IS NOT NULL AND sample_rate > 0 AND ?1 IN (0, sample_rate) AND ?2 IN (0, sample) AND ?3 IN (0, channels)
            """
        let arguments = [Int64(format.sampleRate), format.sample.code, Int64(format.channels)]
        return try songs(condition, arguments, index: nil)
    }

    private func songs(_ condition: String, _ arguments: [Int64], index: String?) throws -> SongSet {
        let hint = index.map { " INDEXED BY \($0)" } ?? ""
        let rows = try SQLStatement(database, "SELECT id FROM song\(hint) WHERE \(condition)")
        for (index, argument) in arguments.enumerated() { rows.bind(Int32(index + 1), argument) }
        var result = SongSet(upTo: Int64(order.durations.count))
        try rows.forEach { result.insert($0.int(0)) }
        return result.subtracting(order.hidden)
    }
}

extension SongFilter {
    /// The directory that MPD looks up before it filters: the first `base` that stands at the top.
    /// - Source: MPD v0.24.13 src/db/Selection.cxx, src/song/OptimizeFilter.cxx.
    var topBase: String? {
        switch self {
        case .base(let path): path
        case .and(let parts): parts.lazy.compactMap(\.topBase).first
        default: nil
        }
    }
}

extension AudioFormat.Sample {
    var code: Int64 {
        switch self {
        case .integer(let bits): Int64(bits)
        case .float: -1
        case .dsd: -2
        case .unknown: 0
        }
    }

    init(code: Int64) {
        switch code {
        case -1: self = .float
        case -2: self = .dsd
        case 0: self = .unknown
        default: self = .integer(bits: Int(code))
        }
    }
}
