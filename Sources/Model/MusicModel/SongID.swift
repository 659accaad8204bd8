/// A song's number inside Segue, which never changes while its source keeps the song.
///
/// Stickers, playlists, the queue and plays refer to it, so a rename or a move upstream loses nothing.
public struct SongID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The primary key of the song's row in the index; always positive.
    public let rawValue: Int64

    /// Wraps the primary key of a song's row.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Orders ids by age: a song that was indexed later has the larger id.
    public static func < (lhs: SongID, rhs: SongID) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The bare number.
    public var description: String { String(rawValue) }
}

/// The number of one entry of the queue, `songid` on the wire; never reused while the queue keeps its entries.
public struct QueueEntryID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number that clients see.
    public let rawValue: UInt32

    /// Wraps a number that a client sent or the queue handed out.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Orders ids by the order in which they were handed out.
    public static func < (lhs: QueueEntryID, rhs: QueueEntryID) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The bare number.
    public var description: String { String(rawValue) }
}
