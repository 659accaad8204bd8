/// The marks that the server has of an album or artist: star, rating and plays of its user.
package struct ServerItemMarks: Hashable, Sendable {
    /// The server's id of the album or artist.
    package var serverID: String
    /// Its name, as the songs' tags have it.
    package var name: String
    /// An album's artist, as the songs' tags have it; nil where it isn't told, and for artists.
    package var artist: String?
    /// When it was starred, in Unix milliseconds; 0 is not starred.
    package var starred: Int64
    /// 1 to 5; 0 is not rated.
    package var rating: Int

    /// Collects the values; the defaults are those of something untouched.
    package init(serverID: String, name: String, artist: String? = nil, starred: Int64 = 0, rating: Int = 0) {
        (self.serverID, self.name, self.artist) = (serverID, name, artist)
        (self.starred, self.rating) = (starred, rating)
    }
}

/// The kinds of items that can be starred and rated on the server.
package enum MarkedKind: Int64, Hashable, Sendable {
    case song = 0
    case album = 1
    case artist = 2
}

/// Parts of what the server knows of songs, albums and artists.
package struct MarkFields: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: UInt8
    /// Takes the bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// True if it is starred.
    package static let star = MarkFields(rawValue: 1)
    /// The rating, from 0 to 5 stars.
    package static let rating = MarkFields(rawValue: 2)
    /// How often and when it was played.
    package static let plays = MarkFields(rawValue: 4)
    /// Everything that the server tells of a song.
    package static let all: MarkFields = [.star, .rating, .plays]
}

/// A star or a rating that a client gave and the server does not have yet.
package struct MarkEdit: Hashable, Sendable {
    /// The fields that can be edited.
    package enum Field: Int64, Hashable, Sendable {
        case star = 0
        case rating = 1

        var flag: MarkFields { self == .star ? .star : .rating }
    }

    var number: Int64
    /// The kind of item.
    package var kind: MarkedKind
    /// The server's id of it.
    package var serverID: String
    /// The star or the rating.
    package var field: Field
    /// 0 or 1 for a star, 0 to 5 for a rating.
    package var value: Int
    /// The song's number, or the server's id: what the index knows it by.
    var target: String
}
