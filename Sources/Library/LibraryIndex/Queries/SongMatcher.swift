import Coordination
package import MusicModel

/// A filter compiled for songs in memory, with the rules that the index applies to its own.
/// - Source: MPD v0.24.13 src/song/TagSongFilter.cxx and its neighbours.
package struct SongMatcher: Sendable {
    private typealias Test = @Sendable (_ song: Song, _ priority: Int) throws -> Bool

    private let test: Test

    /// Compiles a filter.
    /// - Throws: `LibraryError.badExpression` for a regular expression that does not compile.
    package init(_ filter: SongFilter) throws { test = try Self.compile(filter, MatchingBudget()) }

    /// True if a song with this priority in the queue matches; throws `CancellationError`, too.
    package func matches(_ song: Song, priority: Int) throws -> Bool { try test(song, priority) }

    private static func compile(_ filter: SongFilter, _ budget: MatchingBudget) throws -> Test {
        switch filter {
        case .all: return { _, _ in true }
        case .text(let subject, let test):
            let (matcher, isNegated) = (try TextMatcher(test, budget), test.isNegated)
            switch subject {
            case .tag(let tag): return { song, _ in try matches(song.tags, tag, matcher) != isNegated }
            case .any:
                return { song, _ in
                    try song.tags.contains { try $0.tag != .comment && matcher.matches($0.value) } != isNegated
                }
            case .file: return { song, _ in try matcher.matches(song.uri) != isNegated }
            }
        case .base(let path): return { song, _ in isInside(song.uri, path) }
        case .modifiedSince(let time): return { song, _ in song.lastModified.map { $0 >= time } ?? false }
        case .addedSince(let time): return { song, _ in song.added.map { $0 >= time } ?? false }
        case .audioFormat(let format): return { song, _ in song.format.map { $0.fits(format) } ?? false }
        case .priority(let minimum): return { _, priority in priority >= minimum }
        case .and(let parts):
            let tests = try parts.map { try compile($0, budget) }
            return { song, priority in try tests.allSatisfy { try $0(song, priority) } }
        case .not(let inner):
            let test = try compile(inner, budget)
            return { song, priority in try !test(song, priority) }
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
    /// Prepares a search in songs that the caller has.
    /// - Throws: `LibraryError.badExpression`.
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
