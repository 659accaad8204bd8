import GRDB
import MusicModel

/// The order of the tree at one generation, eight bytes a song: every song and directory as MPD walks them.
final class WalkOrder: Sendable {
    struct Directory: Sendable {
        var id: Int64
        var number: Int64
        /// Index in `songs` of the first song in this directory or after it.
        var firstSong: Int
    }

    let generation: Int64
    let songs: [UInt32]
    let directories: [Directory]
    let all: SongSet
    /// The songs that cue sheets hide, which are not among these.
    let hidden: SongSet
    let present: SongSet
    /// Milliseconds by song number; -1 is unknown.
    let durations: [Int32]

    /// Songs beyond this number are left out, as some arrays are as long as the largest number.
    private static let maxNumber: Int64 = 1 << 25

    init(_ database: Database, generation: Int64) throws {
        self.generation = generation
        // A damaged or edited database may say anything; memory is for as many songs as there can be.
        let maximum = try database.integer("SELECT ifnull(max(id), 0) FROM song WHERE id <= \(Self.maxNumber)")
            .clamped(to: 0...Self.maxNumber)
        var songs: [UInt32] = []
        songs.reserveCapacity(Int(try database.integer("SELECT songs FROM library").clamped(to: 0...maximum)))
        var numbers: [(number: Int64, first: Int)] = []
        var all = SongSet(upTo: maximum)
        var durations = [Int32](repeating: -1, count: Int(maximum) + 1)
        try database.forEach(
            "SELECT id, walk, ifnull(duration, -1) FROM song INDEXED BY song_walk WHERE walk IS NOT NULL ORDER BY walk"
        ) { row in
            let id = row.int(0)
            guard (0...maximum).contains(id) else { return }
            let number = row.int(1) >> Schema.positionBits
            if numbers.last?.number != number { numbers.append((number, songs.count)) }
            songs.append(UInt32(id))
            all.insert(id)
            durations[Int(id)] = Int32(clamping: row.int(2))
        }
        (self.songs, self.all) = (songs, all)
        hidden = try Self.hidden(database, below: maximum, &durations)
        var present = all
        present.formUnion(hidden)
        (self.present, self.durations) = (present, durations)
        directories = try Self.directories(database, numbers: numbers, songCount: songs.count)
    }

    private static func hidden(
        _ database: Database, below maximum: Int64, _ durations: inout [Int32]
    ) throws -> SongSet {
        var hidden = SongSet()
        try database.forEach(
            "SELECT s.id, ifnull(s.duration, -1) FROM hidden_song h JOIN song s ON s.id = h.id"
        ) { row in
            guard (0...maximum).contains(row.int(0)) else { return }
            hidden.insert(row.int(0))
            durations[Int(row.int(0))] = Int32(clamping: row.int(1))
        }
        return hidden
    }

    private static func directories(
        _ database: Database, numbers: [(number: Int64, first: Int)], songCount: Int
    ) throws -> [Directory] {
        var result: [Directory] = []
        var next = 0
        try database.forEach("SELECT id, number FROM directory ORDER BY number") { row in
            let number = row.int(1)
            while next < numbers.count, numbers[next].number < number { next += 1 }
            let first = next < numbers.count ? numbers[next].first : songCount
            result.append(Directory(id: row.int(0), number: number, firstSong: first))
        }
        return result
    }

    func ordered(_ set: SongSet) -> [UInt32] {
        let count = set.count
        if count == 0 { return [] }
        var found: [UInt32] = []
        found.reserveCapacity(count)
        for song in songs where set.contains(Int64(song)) {
            found.append(song)
            if found.count == count { return found }
        }
        // These have no position; only their own paths lead to them.
        hidden.forEach { if set.contains($0) { found.append(UInt32($0)) } }
        return found
    }

    func songs(inDirectories range: Range<Int>) -> ArraySlice<UInt32> {
        let start = range.lowerBound < directories.count ? directories[range.lowerBound].firstSong : songs.count
        let end = range.upperBound < directories.count ? directories[range.upperBound].firstSong : songs.count
        return songs[start..<end]
    }

    func directory(ofSongAt position: Int) -> Int {
        // Directories without songs begin where the next one does: the last one counts.
        firstDirectory { $0.firstSong > position } - 1
    }

    func directoryIndex(atNumber number: Int64) -> Int { firstDirectory { $0.number >= number } }

    /// The index of the first directory that passes, as do all behind it.
    private func firstDirectory(where passes: (Directory) -> Bool) -> Int {
        var (low, high) = (0, directories.count)
        while low < high {
            let middle = (low + high) / 2
            if passes(directories[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
