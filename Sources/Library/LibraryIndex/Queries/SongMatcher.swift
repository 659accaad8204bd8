import Coordination
package import MusicModel

/// A filter compiled for songs in memory, with the rules that the index applies to its own.
/// - Source: MPD v0.24.13 src/song/TagSongFilter.cxx and its neighbours.
struct SongMatcher: Sendable {
    private indirect enum Node: Sendable {
        case all
        case tag(Tag, TextMatcher, negated: Bool)
        case any(TextMatcher, negated: Bool)
        case file(TextMatcher, negated: Bool)
        case base(String)
        case modifiedSince(Int64)
        case addedSince(Int64)
        case audioFormat(AudioFormat)
        case priority(Int)
        case and([Node])
        case not(Node)
    }

    private let root: Node

    /// Compiles a filter.
    /// - Throws: `LibraryError.badExpression` for a regular expression that does not compile.
    init(_ filter: SongFilter) throws { root = try Self.compile(filter, MatchingBudget()) }

    /// True if a song with this priority in the queue matches.
    /// - Throws: `LibraryError.badExpression` for a regular expression that costs too much; `CancellationError`.
    func matches(_ song: Song, priority: Int) throws -> Bool { try Self.matches(root, song, priority) }

    private static func compile(_ filter: SongFilter, _ budget: MatchingBudget) throws -> Node {
        switch filter {
        case .all: .all
        case .text(.tag(let tag), let test): .tag(tag, try TextMatcher(test, budget), negated: test.isNegated)
        case .text(.any, let test): .any(try TextMatcher(test, budget), negated: test.isNegated)
        case .text(.file, let test): .file(try TextMatcher(test, budget), negated: test.isNegated)
        case .base(let path): .base(path)
        case .modifiedSince(let time): .modifiedSince(time)
        case .addedSince(let time): .addedSince(time)
        case .audioFormat(let format): .audioFormat(format)
        case .priority(let priority): .priority(priority)
        case .and(let parts): .and(try parts.map { try compile($0, budget) })
        case .not(let inner): .not(try compile(inner, budget))
        }
    }

    private static func matches(_ node: Node, _ song: Song, _ priority: Int) throws -> Bool {
        switch node {
        case .all: true
        case .tag(let tag, let test, let negated): try matches(song.tags, tag, test) != negated
        case .any(let test, let negated):
            try song.tags.contains { try $0.tag != .comment && test.matches($0.value) } != negated
        case .file(let test, let negated): try test.matches(song.uri) != negated
        case .base(let path): isInside(song.uri, path)
        case .modifiedSince(let time): song.lastModified.map { $0 >= time } ?? false
        case .addedSince(let time): song.added.map { $0 >= time } ?? false
        case .audioFormat(let format): song.format.map { $0.fits(format) } ?? false
        case .priority(let minimum): priority >= minimum
        case .and(let parts): try parts.allSatisfy { try matches($0, song, priority) }
        case .not(let inner): try !matches(inner, song, priority)
        }
    }

    private static func matches(_ tags: [TagValue], _ tag: Tag, _ test: TextMatcher) throws -> Bool {
        for candidate in [tag] + tag.fallbacks where tags.contains(where: { $0.tag == candidate }) {
            return try tags.contains { try $0.tag == candidate && test.matches($0.value) }
        }
        return test.isEmpty
    }

    private static func isInside(_ uri: String, _ base: String) -> Bool {
        if base.isEmpty || ExactText.equal(uri, base) { return true }
        var uri = uri
        let prefix = Array(base.utf8)
        return uri.withUTF8 { bytes in
            let raw = UnsafeRawBufferPointer(bytes)
            return raw.count > prefix.count && raw.starts(with: prefix)
                && (prefix.last == 0x2F || bytes[prefix.count] == 0x2F)
        }
    }
}

/// One comparison of a filter, with its needle folded once.
private struct TextMatcher: Sendable {
    private let test: StringTest
    private let needle: [UInt8]
    private let expression: RegularExpression?

    var isEmpty: Bool { needle.isEmpty }

    init(_ test: StringTest, _ budget: MatchingBudget) throws {
        self.test = test
        needle = Array(test.form(of: test.value).utf8)
        expression =
            test.operator == .regularExpression
            ? try RegularExpression(test.value, foldsCase: test.foldsCase, budget: budget) : nil
    }

    func matches(_ text: String) throws -> Bool {
        if let expression { return try expression.matches(text) }
        var text = test.form(of: text)
        return text.withUTF8 { test.operator.passes(UnsafeRawBufferPointer($0), needle) }
    }
}

extension AudioFormat {
    /// True if a known format agrees with every known part of `mask`.
    fileprivate func fits(_ mask: AudioFormat) -> Bool {
        sampleRate > 0 && (mask.sampleRate == 0 || mask.sampleRate == sampleRate)
            && (mask.sample == .unknown || mask.sample == sample) && (mask.channels == 0 || mask.channels == channels)
    }
}

extension MusicIndex {
    /// True if a filter matches a song in memory (queue searches).
    /// - Throws: `LibraryError.badExpression` for a regular expression that does not compile; the function that is
    ///   returned, for one that costs too much.
    package static func matcher(
        for filter: SongFilter
    ) throws -> @Sendable (_ song: Song, _ priority: Int) throws -> Bool {
        let matcher = try SongMatcher(filter)
        return { try matcher.matches($0, priority: $1) }
    }

    /// Prepares a search in songs that the caller has.
    /// - Throws: `LibraryError.badExpression` for a regular expression that does not compile.
    /// - Isolation: the global executor, since compiling may take milliseconds.
    @concurrent
    package func search(for filter: SongFilter) async throws -> SongSearch {
        SongSearch(matcher: try SongMatcher(filter), limit: filter.hasRegularExpression ? heavyQueries : nil)
    }
}

/// A search in songs that the caller has, batch by batch; its regular expressions share one budget.
package struct SongSearch: Sendable {
    fileprivate let matcher: SongMatcher
    fileprivate let limit: ConcurrencyLimit?

    /// The places in `songs` of those that match; nil is a song that is gone.
    /// - Throws: `LibraryError.badExpression` for a regular expression that costs too much; `CancellationError`.
    /// - Isolation: the global executor.
    @concurrent
    package func places(in songs: [(song: Song?, priority: Int)]) async throws -> [Int] {
        try await limit?.acquire()
        defer { limit?.release() }
        var places: [Int] = []
        for (index, (song, priority)) in songs.enumerated() {
            if let song, try matcher.matches(song, priority: priority) { places.append(index) }
        }
        try Task.checkCancellation()
        return places
    }
}

extension SongFilter {
    var hasRegularExpression: Bool {
        switch self {
        case .text(_, let test): test.operator == .regularExpression
        case .and(let parts): parts.contains(where: \.hasRegularExpression)
        case .not(let inner): inner.hasRegularExpression
        default: false
        }
    }
}
