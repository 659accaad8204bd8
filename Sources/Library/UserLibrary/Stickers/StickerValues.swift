public import MusicModel

/// What a sticker sticks to.
public enum StickerObject: Hashable, Sendable {
    /// A song, by the number that it keeps when it is renamed, moved, or gone for a while.
    case song(SongID)
    /// A stored playlist, by its name.
    case playlist(String)
    /// All songs with this value of a tag.
    case tag(Tag, String)
    /// All songs that match a filter, by its expression in normal form.
    case filter(String)
}

/// The kinds of objects that stickers stick to.
public enum StickerKind: Hashable, Sendable {
    case song, playlist, filter
    case tag(Tag)

    /// The kind's name on the wire.
    public var name: String {
        switch self {
        case .song: "song"
        case .playlist: "playlist"
        case .filter: "filter"
        case .tag(let tag): "\(tag.wireName)"
        }
    }
}

/// One sticker that was set, changed or deleted; whoever mirrors stickers elsewhere learns from it what to do.
public struct StickerChange: Hashable, Sendable {
    /// What it sticks to.
    public var object: StickerObject
    /// The sticker's name.
    public var name: String
    /// What it said before; nil when it is new.
    public var oldValue: String?
    /// What it says now; nil when it was deleted.
    public var newValue: String?

    /// Describes a change.
    public init(object: StickerObject, name: String, oldValue: String?, newValue: String?) {
        self.object = object
        self.name = name
        self.oldValue = oldValue
        self.newValue = newValue
    }
}

/// How a sticker's value is counted up or down.
public enum StickerStep: Hashable, Sendable {
    case up, down
}

/// Which stickers `sticker find` wants.
///
/// - Source: MPD v0.24.13 src/sticker/Match.hxx.
public struct StickerQuery: Hashable, Sendable {
    /// The kinds of comparison.
    public enum Operator: String, Hashable, Sendable {
        /// The same text.
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

    /// What the answer is ordered by; equal ones stay in the order of their objects.
    public enum Sort: String, Hashable, Sendable {
        case object = "uri"
        case value
        case number = "value_int"
    }

    /// The sticker's name.
    public var name: String
    /// The comparison with its value; without a value nothing passes. nil takes every sticker of the name.
    public var test: (comparison: Operator, value: String?)? {
        get { comparison.map { ($0, value) } }
        set { (comparison, value) = (newValue?.comparison, newValue?.value) }
    }
    private(set) var comparison: Operator?
    private(set) var value: String?
    /// The order; nil is that of the objects.
    public var sort: Sort?
    /// Whether the largest comes first.
    public var isDescending: Bool
    /// Which of the sorted stickers, zero-based; nil is all of them.
    public var window: Range<Int>?

    /// Makes a query.
    public init(
        name: String, test: (comparison: Operator, value: String?)? = nil, sort: Sort? = nil,
        isDescending: Bool = false, window: Range<Int>? = nil
    ) {
        self.name = name
        self.comparison = test?.comparison
        self.value = test?.value
        self.sort = sort
        self.isDescending = isDescending
        self.window = window
    }
}

/// A sticker that a query found.
public struct FoundSticker: Hashable, Sendable {
    /// The song's path, the playlist's name, the tag's value or the filter's expression.
    public var object: String
    /// What the sticker says.
    public var value: String
}

/// A sticker's name with the kind of object that it is used for.
public struct StickerNameType: Hashable, Sendable {
    /// The sticker's name.
    public var name: String
    /// The kind's name on the wire.
    public var type: String
}
