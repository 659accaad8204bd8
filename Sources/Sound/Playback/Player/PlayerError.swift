/// Why a player could not do what a client asked.
package struct PlayerError: Error, Hashable, Sendable {
    /// The kinds, which the protocol maps to its codes.
    package enum Code: Hashable, Sendable {
        /// Bad position or range (`Bad song index`, ACK 2).
        case badRange
        /// No entry with this id (`No such song`, ACK 50).
        case noSuchSong
        /// Not playing (`Not playing`, ACK 55).
        case notPlaying
        /// A position in a stream without an end (`Not seekable`, ACK 5).
        case notSeekable
        /// The queue is full, or there is no room for the addresses and tags in all queues (ACK 51).
        case queueFull
        /// The entry is being played (`Cannot edit the current song`, ACK 4).
        case isCurrent
        /// A part that begins behind the song's end (`Invalid start offset`, ACK 2).
        case badOffset
    }

    /// Which kind.
    package var code: Code

    /// Makes an error.
    package init(_ code: Code) { self.code = code }
}
