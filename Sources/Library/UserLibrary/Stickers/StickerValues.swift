package import MusicModel

/// The owner of a sticker.
package enum StickerObject: Hashable, Sendable {
    case song(SongID)
    case playlist(String)
    case tag(Tag, String)
    /// All songs that match a filter, by its expression in normal form.
    case filter(String)
}

/// The kinds of objects that stickers stick to.
package enum StickerKind: Hashable, Sendable {
    case song, playlist, filter
    case tag(Tag)

    /// The kind's name on the wire.
    package var name: String {
        switch self {
        case .song: "song"
        case .playlist: "playlist"
        case .filter: "filter"
        case .tag(let tag): "\(tag.wireName)"
        }
    }
}

/// One sticker that was set, changed or deleted; code that mirrors stickers elsewhere learns from it what to do.
package struct StickerChange: Hashable, Sendable {
    /// The owner.
    package var object: StickerObject
    /// The sticker's name.
    package var name: String
    /// The text before; nil when it is new.
    package var oldValue: String?
    /// The text now; nil when it was deleted.
    package var newValue: String?
}

/// How a sticker's value is counted up or down.
package enum StickerStep: Hashable, Sendable {
    case up, down
}

/// Which stickers `sticker find` wants.
/// - Source: MPD v0.24.13 src/sticker/Match.hxx.
package struct StickerQuery: Sendable {
    /// The kinds of comparison.
    package enum Operator: String, Hashable, Sendable {
        case equals = "="
        /// Texts compared byte by byte, so that `10` comes before `4`.
        case lessThan = "<"
        case greaterThan = ">"
        /// Whole numbers; a text without one counts as 0.
        case equalsNumber = "eq"
        case lessThanNumber = "lt"
        case greaterThanNumber = "gt"
        /// Anywhere in the value, ASCII letters in any case; `%` and `_` are SQL's wildcards, as in MPD.
        case contains
        case startsWith = "starts_with"
    }

    /// The order of the answer; equal ones stay in the order of their objects.
    package enum Sort: String, Hashable, Sendable {
        case object = "uri"
        case value
        case number = "value_int"
    }

    /// The sticker's name.
    package var name: String
    /// The comparison with its value; without a value nothing passes. nil takes every sticker of the name.
    package var test: (comparison: Operator, value: String?)?
    /// The order; nil is that of the objects.
    package var sort: Sort?
    /// True if the largest comes first.
    package var isDescending: Bool
    /// Which of the sorted stickers, zero-based; nil is all of them.
    package var window: Range<Int>?

    /// Makes a query.
    package init(
        name: String, test: (comparison: Operator, value: String?)? = nil, sort: Sort? = nil,
        isDescending: Bool = false, window: Range<Int>? = nil
    ) {
        (self.name, self.test, self.sort) = (name, test, sort)
        (self.isDescending, self.window) = (isDescending, window)
    }
}

/// A sticker that a query found.
package struct FoundSticker: Hashable, Sendable {
    /// The song's path, the playlist's name, the tag's value or the filter's expression.
    package var object: String
    /// The text of the sticker.
    package var value: String
}

/// A sticker's name with the kind of object that it is used for.
package struct StickerNameType: Hashable, Sendable {
    /// The sticker's name.
    package var name: String
    /// The kind's name on the wire.
    package var type: String
}
