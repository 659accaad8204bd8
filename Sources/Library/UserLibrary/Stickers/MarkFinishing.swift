import GRDB

/// Notes what the server has taken, inside a write transaction.
struct MarkFinishing {
    private let database: Database
    private let edits: MarkEditStore
    private let now: Int64

    init(_ database: Database, now: Int64) {
        (self.database, self.now) = (database, now)
        edits = MarkEditStore(database)
    }

    func finish(_ edit: MarkEdit) throws {
        let target = MarkTarget(edit.kind, edit.target)
        let row = try edits.edit(target, edit.field.rawValue)
        // The new number tells answers that were asked for before from those that know of the edit.
        if let row, row.number != edit.number, row.state != .done {
            try edits.put(target, edit.field.rawValue, value: row.value, edited: row.edited, state: .waiting)
        } else {
            try edits.put(target, edit.field.rawValue, value: edit.value, edited: now, state: .done)
        }
        // If the server's own value was taken meanwhile, which of the two it has will be seen.
        if let row, row.number == edit.number || row.state != .done { try keep(edit) }
    }

    /// Notes that plays of songs were taken, so that answers that may not know of them are not believed.
    func finish(plays: [(song: Int64, started: Int64)]) throws {
        let songs = SongMarkStore(database, now: now)
        for (song, started) in plays {
            try edits.put(MarkTarget(song: song), MarkEditStore.plays, value: 0, edited: now, state: .done)
            guard let serverID = try songs.serverID(song), var base = try songs.base(song, serverID),
                let plays = base.plays
            else { continue }
            base.plays = plays + 1
            base.played = max(base.played ?? 0, started / 1000)
            try songs.write(base, of: song, serverID)
        }
    }

    func forgetOld() throws { try edits.forgetDone(now: now) }

    private func keep(_ edit: MarkEdit) throws {
        let known = MarkBase(starred: edit.value == 0 ? 0 : now, rating: edit.value)
        guard edit.kind == .song else {
            let catalog = CatalogMarkStore(database, now: now)
            guard var row = try catalog.row(edit.kind, edit.serverID) else { return }
            row.marks.take(edit.field, of: known)
            return try catalog.write(edit.kind, edit.serverID, row)
        }
        guard let song = Int64(edit.target) else { return }
        let songs = SongMarkStore(database, now: now)
        var base = try songs.base(song, edit.serverID) ?? SongMarkStore.Base()
        base.marks.take(edit.field, of: known)
        try songs.write(base, of: song, edit.serverID)
    }
}
