import GRDB
import LibraryIndex
import MusicModel
package import UserLibrary

/// The listener's history with a catalogue's songs, by slots. Of the server's plays and those here the higher counts.
package struct Listening: Sendable {
    /// When each song was heard last, in Unix seconds; 0 is never, or not known.
    package internal(set) var lastHeard: ContiguousArray<Int64>
    /// How often each song was heard.
    package internal(set) var plays: ContiguousArray<Int32>
    /// How often each song was skipped.
    package internal(set) var skips: ContiguousArray<Int32>
    /// When each song was skipped last, in Unix seconds.
    package internal(set) var lastSkipped: ContiguousArray<Int64>
    /// Songs with a star, or with four or five stars of rating.
    package internal(set) var liked: Set<Int>
    /// Each song's rating, 1 to 10, where it has one.
    package internal(set) var ratings: [Int: Int]
    /// Songs that the listener has marked as disliked.
    package internal(set) var disliked: Set<Int>

    /// Knows nothing of a number of songs.
    package init(count: Int) {
        lastHeard = ContiguousArray(repeating: 0, count: count)
        plays = ContiguousArray(repeating: 0, count: count)
        skips = ContiguousArray(repeating: 0, count: count)
        lastSkipped = ContiguousArray(repeating: 0, count: count)
        (liked, ratings, disliked) = ([], [:], [])
    }

    /// From this rating on a song is liked: four stars.
    static let likedRating = 8

    mutating func rate(_ slot: Int, _ rating: Int) {
        ratings[slot] = rating
        if rating >= Self.likedRating { liked.insert(slot) }
    }

    /// Reads what is known of a catalogue's songs.
    @concurrent
    package static func read(_ library: Library, of catalogue: SongCatalogue) async throws -> Listening {
        try await library.read { try Listening($0, catalogue) }
    }

    private init(_ database: Database, _ catalogue: SongCatalogue) throws {
        self.init(count: catalogue.count)
        /// Numbers in stickers of this name, by the songs' slots; what is no number is left out.
        func stickers(_ name: String, _ take: (Int, Int64) -> Void) throws {
            try database.forEach(
                "SELECT song, CAST(value AS INT), value GLOB '[0-9]*' FROM song_sticker WHERE name = ?", name
            ) { row in
                guard row.int(2) != 0, let slot = catalogue.slot(of: SongID(rawValue: row.int(0))) else { return }
                take(slot, row.int(1))
            }
        }
        try stickers("playCount") { plays[$0] = Int32(clamping: $1) }
        try stickers("lastPlayed") { lastHeard[$0] = $1 }
        try stickers("skipCount") { skips[$0] = Int32(clamping: $1) }
        try stickers("lastSkipped") { lastSkipped[$0] = $1 }
        try stickers("rating") { if (1...10).contains($1) { rate($0, Int($1)) } }
        try stickers("like") { if $1 >= 2 { liked.insert($0) } else if $1 == 0 { disliked.insert($0) } }
        liked.subtract(disliked)
        // The history has the plays of folders' songs, which no server counts.
        try database.forEach("SELECT song, count(*), max(started) FROM history GROUP BY song") { row in
            guard let slot = catalogue.slot(of: SongID(rawValue: row.int(0))) else { return }
            plays[slot] = max(plays[slot], Int32(clamping: row.int(1)))
            lastHeard[slot] = max(lastHeard[slot], row.int(2) / 1000)
        }
    }
}
