import GRDB
import MPDProtocol
import MusicModel

struct BlockRefresh {
    private static let batch: Int64 = 500
    let database: Database

    /// Writes them inside the caller's transaction, and notes their version.
    func run() throws {
        let update = try SQLStatement(database, "UPDATE block SET block = ? WHERE id = ?")
        let rows = try SQLStatement(database, "SELECT id FROM block WHERE id > ? ORDER BY id LIMIT \(Self.batch)")
        var last: Int64 = -1
        while true {
            let ids = try rows.rows(last) { $0.int(0) }
            guard let end = ids.last else { break }
            for song in try SongReader(database).songs(ids) {
                guard let song, let id = song.id else { continue }
                try update.run(SongBlock.text(of: song, mask: .standard), id.rawValue)
            }
            last = end
        }
        try database.run("UPDATE library SET block_version = ?", SongBlock.version)
    }
}
