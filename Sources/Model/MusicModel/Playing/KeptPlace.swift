/// An item whose place can be kept: a song of the library, or an episode or other file by its address.
package enum PlaceKey: Hashable, Sendable {
    case song(SongID)
    /// A stream that ends, or a file outside of the library.
    case stream(url: String)

    /// The key of an item; nil for tracks of audio CDs, since another disc has the same ones.
    package init?(_ item: QueueItem) {
        switch item {
        case .song(let song): self = .song(song)
        case .stream(let url, _):
            if DiscAddress.isOne(url) { return nil }
            self = .stream(url: url)
        }
    }
}

/// How far a long song was heard, and how fast.
package struct KeptPlace: Hashable, Sendable {
    /// Where it resumes.
    package var place: Duration
    /// How many times as fast as it was recorded it was heard; nil where that isn't known.
    package var speed: Double?

    /// Notes how far it was heard, with the speed where that is known.
    package init(_ place: Duration, speed: Double? = nil) { (self.place, self.speed) = (place, speed) }
}
