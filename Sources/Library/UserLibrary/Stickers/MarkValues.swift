/// What the server knows of an album or artist that its user did with it.
public struct ServerItemMarks: Hashable, Sendable {
    /// The server's id of the album or artist.
    public var serverID: String
    /// Its name, as the songs' tags have it.
    public var name: String
    /// When it was starred, in Unix milliseconds; 0 is not starred.
    public var starred: Int64
    /// 1 to 5; 0 is not rated.
    public var rating: Int

    /// Collects the values; the defaults are those of something that nobody touched.
    public init(serverID: String, name: String, starred: Int64 = 0, rating: Int = 0) {
        self.serverID = serverID
        self.name = name
        self.starred = starred
        self.rating = rating
    }
}

/// What can be starred and rated on the server.
public enum MarkedKind: Int64, Hashable, Sendable {
    case song = 0
    case album = 1
    case artist = 2
}

/// Parts of what the server knows of songs, albums and artists.
public struct MarkFields: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Takes the bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Whether it is starred.
    public static let star = MarkFields(rawValue: 1)
    /// The rating.
    public static let rating = MarkFields(rawValue: 2)
    /// How often and when it was played.
    public static let plays = MarkFields(rawValue: 4)
    /// All of them.
    public static let all: MarkFields = [.star, .rating, .plays]
}

/// A star or a rating that a client gave and the server does not have yet.
public struct MarkEdit: Hashable, Sendable {
    /// What was edited.
    public enum Field: Int64, Hashable, Sendable {
        case star = 0
        case rating = 1
    }

    /// The edit's number; later ones are larger.
    public var number: Int64
    /// What was marked.
    public var kind: MarkedKind
    /// The server's id of it.
    public var serverID: String
    /// What was edited.
    public var field: Field
    /// 0 or 1 for a star, 0 to 5 for a rating.
    public var value: Int
    /// The song's number, or the server's id: what the index knows it by.
    var target: String
}
