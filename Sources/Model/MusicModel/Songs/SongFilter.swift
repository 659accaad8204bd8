/// A parsed filter, as in `find artist x`: the index compiles it to SQL, a matcher applies it to songs in memory.
package indirect enum SongFilter: Hashable, Sendable {
    case all
    /// A comparison of a tag, of any tag, or of the URI.
    case text(Subject, StringTest)
    /// Songs in this directory and below; the empty string is the root.
    case base(String)
    /// Songs whose file changed at or after this time, in Unix seconds.
    case modifiedSince(Int64)
    /// Songs that were added at or after this time, in Unix seconds.
    case addedSince(Int64)
    /// Songs of this format; unknown parts match anything (`44100:*:2`).
    case audioFormat(AudioFormat)
    /// Entries of the queue with this priority or a higher one; no song of the database has one.
    case priority(Int)
    case and([SongFilter])
    case not(SongFilter)

    /// The subject of a text comparison.
    package enum Subject: Hashable, Sendable {
        /// The values of one tag, with the tag's fall-backs where it is absent.
        case tag(Tag)
        case any
        case file
    }
}

extension SongFilter {
    /// The same filter without regard to accents, wherever it has none to case; regular expressions stay.
    package var strippingDiacritics: SongFilter {
        switch self {
        case .text(let subject, var test):
            test.stripsDiacritics = test.foldsCase && test.operator != .regularExpression
            return .text(subject, test)
        case .and(let parts): return .and(parts.map(\.strippingDiacritics))
        case .not(let inner): return .not(inner.strippingDiacritics)
        default: return self
        }
    }
}

/// A comparison with a text.
package struct StringTest: Hashable, Sendable {
    /// The kinds of comparison.
    package enum Operator: Hashable, Sendable {
        case equals, contains, startsWith, regularExpression
    }

    /// The kind of comparison.
    package var `operator`: Operator
    /// The text to compare with, unfolded.
    package var value: String
    /// True if letters compare without regard to case (NFKC case folding).
    package var foldsCase: Bool
    /// True if letters compare without their accents, too; only where case doesn't count.
    package var stripsDiacritics = false
    /// True if the outcome is turned round: `!=`, `!contains`, `!~`.
    package var isNegated: Bool

    /// Makes a comparison.
    package init(_ operator: Operator, _ value: String, foldsCase: Bool = false, isNegated: Bool = false) {
        self.operator = `operator`
        (self.value, self.foldsCase, self.isNegated) = (value, foldsCase, isNegated)
    }
}

/// A filter with the order and the part of the answer that is wanted.
package struct SongQuery: Hashable, Sendable {
    /// The conditions that a song has to fulfil.
    package var filter: SongFilter
    /// In which order; nil is the library's own order.
    package var sort: SongSort?
    /// Which of the sorted songs, zero-based; nil is all of them.
    package var window: Range<Int>?

    /// Makes a query.
    package init(_ filter: SongFilter, sort: SongSort? = nil, window: Range<Int>? = nil) {
        (self.filter, self.sort, self.window) = (filter, sort, window)
    }
}

/// The order of an answer, `sort [-]TYPE` on the wire.
package struct SongSort: Hashable, Sendable {
    /// The keys that order songs.
    package enum Key: Hashable, Sendable {
        case tag(Tag), lastModified, added, priority
    }

    /// The key that orders songs.
    package var key: Key
    /// True if the largest comes first.
    package var isDescending: Bool

    /// Makes an order.
    package init(_ key: Key, isDescending: Bool = false) { (self.key, self.isDescending) = (key, isDescending) }
}
