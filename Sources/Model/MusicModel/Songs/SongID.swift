/// A song's number inside Segue, by which all else refers to it; it never changes while its source keeps the song.
package struct SongID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The primary key of the song's row in the index; always positive.
    package let rawValue: Int64

    /// Wraps the primary key of a song's row.
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Orders ids by age: a song that was indexed later has the larger id.
    package static func < (lhs: SongID, rhs: SongID) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The bare number.
    package var description: String { String(rawValue) }
}

/// The number of one entry of the queue, `songid` on the wire; never reused while the queue keeps its entries.
package struct QueueEntryID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number that clients see.
    package let rawValue: UInt32

    /// Wraps a number that a client sent or the queue handed out.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Orders ids by the order in which they were handed out.
    package static func < (lhs: QueueEntryID, rhs: QueueEntryID) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The bare number.
    package var description: String { String(rawValue) }
}
