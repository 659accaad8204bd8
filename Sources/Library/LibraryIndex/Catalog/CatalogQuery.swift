package import MusicModel

/// A part of the catalog, and its order.
package struct CatalogQuery: Hashable, Sendable {
    /// The order of a list.
    package enum Sort: String, Hashable, Sendable, CaseIterable {
        case title, artist, year, added, random, rating, duration, played
        /// Titles that are the words of the query, then those that begin with them or have words that do.
        case relevance
    }

    /// The order of the list.
    package var sort = Sort.title
    /// True if the order is turned round.
    package var isDescending = false
    /// Only what this artist has part in.
    package var artist: UInt64?
    /// Only what is of this genre.
    package var genre: String?
    /// Only what is of these years.
    package var years: ClosedRange<Int>?
    /// Only what has all of these words in its names.
    package var words: [String] = []
    /// Only these, such as what is starred; nil for all.
    package var songs: Set<SongID>?
    /// None of these, such as what was heard already.
    package var without: Set<SongID> = []
    /// Only songs that this filter lets through; nil for all.
    package var filter: SongFilter?
    /// Only albums of these ids; nil for all.
    package var albums: Set<UInt64>?
    /// The ratings to sort by.
    package var ratings: [SongID: Int] = [:]
    /// When songs were heard last, in Unix seconds, to sort by; the others never were.
    package var plays: [SongID: Int64] = [:]
    /// The seed of a random order; the same number gives the same order.
    package var seed: UInt64 = 0

    /// Asks for everything, by title.
    package init() {}

    /// True if something is left out.
    package var isFiltered: Bool {
        artist != nil || genre != nil || years != nil || !words.isEmpty || songs != nil || albums != nil
            || !without.isEmpty || filter != nil
    }
}

/// A place in a list where another letter begins.
package struct CatalogLetter: Hashable, Sendable {
    /// One character; `#` for what is no letter.
    package var letter: String
    /// How many stand before it.
    package var offset: Int
}
