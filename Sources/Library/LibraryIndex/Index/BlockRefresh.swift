import GRDB
import MPDProtocol
import MusicModel

/// Writes all blocks again.
struct BlockRefresh {
    private static let batch: Int64 = 500
    let database: Database

    /// Writes them inside the caller's transaction, and notes their version.
    func run() throws {
        let update = try SQLStatement(database, "UPDATE block SET block = ? WHERE id = ?")
        let rows = try SQLStatement(database, "SELECT id FROM block WHERE id > ? ORDER BY id LIMIT \(Self.batch)")
        var last: Int64 = -1
        while true {
            rows.bind(1, last)
            var ids: [Int64] = []
            try rows.forEach { ids.append(rows.int(0)) }
            guard let end = ids.last else { break }
            for song in try SongReader(database).songs(ids) {
                guard let song, let id = song.id else { continue }
                update.bind(1, SongBlock.text(of: song, mask: .standard))
                update.bind(2, id.rawValue)
                try update.run()
            }
            last = end
        }
        let done = try SQLStatement(database, "UPDATE library SET block_version = ?")
        done.bind(1, SongBlock.version)
        try done.run()
    }
}
