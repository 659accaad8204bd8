public import MusicModel

/// A filter compiled for songs in memory, with the rules that the index applies to its own.
///
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
    ///
    /// - Throws: `LibraryError.badExpression` for a regular expression that does not compile.
    init(_ filter: SongFilter) throws { root = try Self.compile(filter) }

    /// Whether a song with this priority in the queue matches.
    func matches(_ song: Song, priority: Int) -> Bool { Self.matches(root, song, priority) }

    private static func compile(_ filter: SongFilter) throws -> Node {
        switch filter {
        case .all: .all
        case .text(.tag(let tag), let test): .tag(tag, try TextMatcher(test), negated: test.isNegated)
        case .text(.any, let test): .any(try TextMatcher(test), negated: test.isNegated)
        case .text(.file, let test): .file(try TextMatcher(test), negated: test.isNegated)
        case .base(let path): .base(path)
        case .modifiedSince(let time): .modifiedSince(time)
        case .addedSince(let time): .addedSince(time)
        case .audioFormat(let format): .audioFormat(format)
        case .priority(let priority): .priority(priority)
        case .and(let parts): .and(try parts.map(compile))
        case .not(let inner): .not(try compile(inner))
        }
    }

    private static func matches(_ node: Node, _ song: Song, _ priority: Int) -> Bool {
        switch node {
        case .all: true
        case .tag(let tag, let test, let negated): matches(song.tags, tag, test) != negated
        case .any(let test, let negated):
            song.tags.contains { $0.tag != .comment && test.matches($0.value) } != negated
        case .file(let test, let negated): test.matches(song.uri) != negated
        case .base(let path): isInside(song.uri, path)
        case .modifiedSince(let time): song.lastModified.map { $0 >= time } ?? false
        case .addedSince(let time): song.added.map { $0 >= time } ?? false
        case .audioFormat(let format): song.format.map { $0.fits(format) } ?? false
        case .priority(let least): priority >= least
        case .and(let parts): parts.allSatisfy { matches($0, song, priority) }
        case .not(let inner): !matches(inner, song, priority)
        }
    }

    private static func matches(_ tags: [TagValue], _ tag: Tag, _ test: TextMatcher) -> Bool {
        for candidate in [tag] + tag.fallbacks where tags.contains(where: { $0.tag == candidate }) {
            return tags.contains { $0.tag == candidate && test.matches($0.value) }
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
    private let comparison: StringTest.Operator
    private let needle: [UInt8]
    private let foldsCase: Bool
    private let expression: RegularExpression?

    var isEmpty: Bool { needle.isEmpty }

    init(_ test: StringTest) throws {
        comparison = test.operator
        foldsCase = test.foldsCase
        needle = Array((test.foldsCase ? TextFolding.folded(test.value) : test.value).utf8)
        expression =
            test.operator == .regularExpression ? try RegularExpression(test.value, foldsCase: test.foldsCase) : nil
    }

    func matches(_ text: String) -> Bool {
        if let expression { return expression.matches(text) }
        var text = foldsCase ? TextFolding.folded(text) : text
        return text.withUTF8 { comparison.passes(UnsafeRawBufferPointer($0), needle) }
    }
}

extension AudioFormat {
    /// Whether a known format agrees with every known part of `mask`.
    fileprivate func fits(_ mask: AudioFormat) -> Bool {
        sampleRate > 0 && (mask.sampleRate == 0 || mask.sampleRate == sampleRate)
            && (mask.sample == .unknown || mask.sample == sample) && (mask.channels == 0 || mask.channels == channels)
    }
}

extension Library {
    /// Whether a filter matches a song in memory (queue searches).
    ///
    /// - Throws: `LibraryError.badExpression` for a regular expression that does not compile.
    public static func matcher(for filter: SongFilter) throws -> @Sendable (_ song: Song, _ priority: Int) -> Bool {
        let matcher = try SongMatcher(filter)
        return { matcher.matches($0, priority: $1) }
    }
}
