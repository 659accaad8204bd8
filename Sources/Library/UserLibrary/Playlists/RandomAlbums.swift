import GRDB
import Coordination
import LibraryIndex
import MusicModel

/// Picks albums by chance, the same ones for the same seed as long as the library stays.
struct RandomAlbums {
    private let database: Database
    private let seed: UInt64

    init(_ database: Database, seed: UInt64) { (self.database, self.seed) = (database, seed) }

    func pick(_ count: Int) throws -> [QueueItem] {
        var items: [QueueItem] = []
        var found = 0
        // Titles stay in the index when their last song goes.
        for title in try titles(count * 2) where found < count {
            let songs = try album(title)
            if songs.isEmpty { continue }
            items += songs.map { .song(SongID(rawValue: $0)) }
            found += 1
        }
        return items
    }

    private func titles(_ count: Int) throws -> [Int64] {
        var picked: [(rank: UInt64, id: Int64)] = []
        try database.forEach("SELECT id FROM value WHERE kind = ?", Int64(Tag.album.rawValue)) { row in
            let id = row.int(0)
            let rank = rank(UInt64(bitPattern: id))
            if picked.count == count, let last = picked.last, rank >= last.rank { return }
            picked.insert((rank, id), at: picked.firstIndex { rank < $0.rank } ?? picked.count)
            if picked.count > count { picked.removeLast() }
        }
        return picked.map(\.id)
    }

    /// The songs of one album with this title: several artists may have one, and one of them is picked.
    private func album(_ title: Int64) throws -> [Int64] {
        var artists: [Int64] = []
        var songs: [Int64: [Int64]] = [:]
        try database.forEach(
            """
            SELECT s.id, s.walk, s.tags FROM song_value v JOIN song s ON s.id = v.song
            WHERE v.value = ? AND s.walk IS NOT NULL ORDER BY s.walk
            """, title
        ) { row in
            let tags = TagList.decode(row.bytes(2))
            // Without an album artist the songs of one title belong together, as on samplers.
            let artist = tags.first { $0.tag == .albumArtist }?.value ?? 0
            if songs[artist] == nil { artists.append(artist) }
            songs[artist, default: []].append(row.int(0))
        }
        return artists.min { rank(UInt64(bitPattern: $0)) < rank(UInt64(bitPattern: $1)) }.flatMap { songs[$0] } ?? []
    }

    /// A row's place in the order that belongs to the seed.
    private func rank(_ number: UInt64) -> UInt64 { SplitMix64.number(at: number, seed: seed) }
}
