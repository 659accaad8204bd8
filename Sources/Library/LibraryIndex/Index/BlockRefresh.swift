import GRDB
import MusicModel

/// Writes blocks anew in small transactions.
struct BlockRefresh {
    private static let batch = 500
    private let index: MusicIndex
    private let database: Database

    init(_ index: MusicIndex, _ database: Database) {
        self.index = index
        self.database = database
    }

    /// Notes that all blocks are as the renderer writes them now.
    func finish() throws {
        let done = try SQLStatement(database, "UPDATE library SET block_version = ?")
        done.bind(1, index.renderer.version)
        try done.run()
    }

    /// Renders the next songs after `id`; returns the last one's number, or nil when all are done, which it notes.
    func refresh(after id: Int64) throws -> Int64? {
        let rows = try SQLStatement(database, "SELECT id FROM block WHERE id > ? ORDER BY id LIMIT \(Self.batch)")
        rows.bind(1, id)
        var ids: [Int64] = []
        try rows.forEach { ids.append(rows.int(0)) }
        guard let last = ids.last else {
            try finish()
            return nil
        }
        let update = try SQLStatement(database, "UPDATE block SET block = ? WHERE id = ?")
        for song in try SongReader(database).songs(ids) {
            guard let song, let id = song.id else { continue }
            update.bind(1, index.renderer.render(song, mask: .standard))
            update.bind(2, id.rawValue)
            try update.run()
        }
        return last
    }
}
