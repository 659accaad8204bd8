package import MusicModel

/// A partition's player as others see it at a moment.
package struct MediaPlayerState: Hashable, Sendable {
    /// Whether it plays, pauses or is stopped.
    package var transport: SavedPlayer.State
    /// Starts again after the last song.
    package var isRepeating: Bool
    /// Repeats the current song, where it repeats at all.
    package var isSingle: Bool
    /// Plays in random order.
    package var isRandom: Bool
    /// 0 to 100.
    package var volume: Int
    /// How many times as fast as they were recorded songs play.
    package var speed = 1.0
    /// The current song; nil when there is none.
    package var song: MediaSong?
    /// Whether a song follows.
    package var hasNext: Bool
    /// Whether the queue has entries.
    package var hasSongs: Bool
    /// How far into the song it was.
    package var elapsed: Duration
    /// `elapsed` holds for this instant; it goes on from there while the song plays.
    package var moment: ContinuousClock.Instant

    /// A player without songs.
    package static var empty: Self {
        Self(
            transport: .stop, isRepeating: false, isSingle: false, isRandom: false, volume: 100, song: nil,
            hasNext: false, hasSongs: false, elapsed: .zero, moment: .now)
    }

    /// How far into the song it is now, if it went on as it was.
    package func position(at now: ContinuousClock.Instant) -> Duration {
        guard transport == .play else { return elapsed }
        // Stations play at their own speed.
        let pace = song?.length == nil ? 1 : speed
        let position = elapsed + moment.duration(to: now) * pace
        return song?.length.map { min(position, $0) } ?? position
    }

    /// Whether a listener would notice that the song is not where it would be, had `earlier` gone on.
    package func hasJumped(from earlier: Self) -> Bool {
        guard let song, song.entry == earlier.song?.entry, transport != .stop, earlier.transport != .stop else {
            return false
        }
        let difference = elapsed - earlier.position(at: moment)
        return difference > .seconds(1) || difference < .seconds(-1)
    }
}

/// A song as others show it.
package struct MediaSong: Hashable, Sendable {
    /// The entry's number in the queue.
    package var entry: UInt32
    /// The song's path, or the station's address without a login.
    package var uri: String
    /// An address that others can open: a file's of this machine, or a station's; nil for songs of the server.
    package var url: String?
    /// How long it lasts; nil for stations.
    package var length: Duration?
    /// Its tags in their order.
    package var tags: [TagValue] = []
    /// 0 to 10; nil without a rating.
    package var rating: Int?
    /// The file with its picture; nil when it has none.
    package var picture: String?

    /// Its title, the station's name, or the name of the file.
    package var title: String { first(.title) ?? first(.name) ?? uri.pathParts.last.map { String($0) } ?? uri }

    /// All artists; nil where no tag names one.
    package var artist: String? {
        let names = values(.artist)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// The title of its album; nil where no tag says so.
    package var album: String? { first(.album) }
    private func first(_ tag: Tag) -> String? { values(tag).first }

    /// The values of a tag that say something.
    package func values(_ tag: Tag) -> [String] { tags.filter { $0.tag == tag && !$0.value.isEmpty }.map(\.value) }
}
