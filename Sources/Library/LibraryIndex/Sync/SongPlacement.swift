import GRDB
import MusicModel

/// Puts the songs of a directory in order and numbers new ones as they are walked: so the tables are read in order.
struct SongPlacement {
    private struct Member {
        var key: SongSortKey
        var id: Int64
        /// Index of a song that is being written; nil for one that is not.
        var pending: Int?
        var walk: Int64
    }

    private let database: Database
    private var nextID: Int64

    init(_ database: Database) throws {
        self.database = database
        nextID = try database.nextID(in: "song")
    }

    /// Gives a song that stands nowhere in the walk its number, if it is new.
    mutating func number(_ song: inout PendingSong) {
        guard song.id == 0 else { return }
        song.id = nextID
        nextID += 1
    }

    /// Orders a directory that has the songs `members` of `pending` in addition to those that stand in the index.
    mutating func place(_ members: [Int], of pending: inout [PendingSong], in directory: TreeLookup.Directory) throws {
        var all = members.map { Member(key: pending[$0].sortKey, id: pending[$0].id, pending: $0, walk: 0) }
        let written = Set(all.lazy.map(\.id).filter { $0 != 0 })
        all += try others(in: directory).filter { !written.contains($0.id) }
        all.sort { $0.key.precedes($1.key) }
        let update = try SQLStatement(database, "UPDATE song SET walk = ? WHERE id = ?")
        for (place, member) in all.enumerated() {
            let walk = directory.number << Schema.positionBits | Int64(place + 1)
            if let index = member.pending {
                pending[index].directory = directory.id
                pending[index].walk = walk
                number(&pending[index])
            } else if member.walk != walk {
                try update.run(walk, member.id)
            }
        }
    }

    private func others(in directory: TreeLookup.Directory) throws -> [Member] {
        let found: [(id: Int64, uri: String, walk: Int64, tags: [TagList.Item])] = try database.rows(
            "SELECT id, uri, walk, tags FROM song INDEXED BY song_walk WHERE walk >= ? AND walk < ?",
            directory.number << Schema.positionBits, (directory.number + 1) << Schema.positionBits
        ) { ($0.int(0), $0.text(1), $0.int(2), TagList.decode($0.bytes(3))) }
        let reader = try SongReader(database)
        return try found.map { song in
            let relevant = song.tags.filter { [.album, .disc, .track].contains($0.tag) }
            return Member(
                key: SongSortKey(uri: song.uri, tags: try reader.tags(relevant)), id: song.id, pending: nil,
                walk: song.walk)
        }
    }
}
