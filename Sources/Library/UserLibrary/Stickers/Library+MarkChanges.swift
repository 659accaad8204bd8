import GRDB
import LibraryIndex
package import MusicModel

/// The stars and ratings that changed in a while.
package struct ChangedMarks: Hashable, Sendable {
    /// Songs, each once.
    package var songs: [SongID] = []
    /// True if marks of albums, artists or other things did, too.
    package var hasOthers = false
}

extension Library {
    /// Has the database note from now on which stars and ratings change, or not any more. The notes are a table of the
    /// writing connection alone: nothing of them reaches the disk, and a change costs no more than a row of it.
    @concurrent
    package func noteMarkChanges(_ isOn: Bool) async throws {
        try await write { database in
            try database.execute(sql: "DROP TABLE IF EXISTS temp.mark_change")
            for event in MarkNotes.events { try database.execute(sql: "DROP TRIGGER IF EXISTS temp.\(event.name)") }
            guard isOn else { return }
            try database.execute(sql: MarkNotes.table)
            for event in MarkNotes.events { try database.execute(sql: event.trigger) }
        }
    }

    /// Takes what was noted since the last time; nothing where nothing is noted.
    @concurrent
    package func takeMarkChanges() async throws -> ChangedMarks {
        try await write { database in
            var changes = ChangedMarks()
            guard try database.integer("SELECT count(*) FROM temp.sqlite_master WHERE name = 'mark_change'") > 0 else {
                return changes
            }
            try database.forEach("SELECT song FROM mark_change") { row in
                if row.int(0) >= 0 {
                    changes.songs.append(SongID(rawValue: row.int(0)))
                } else {
                    changes.hasOthers = true
                }
            }
            try database.execute(sql: "DELETE FROM mark_change")
            return changes
        }
    }
}

/// The table of notes, and what writes into it.
private enum MarkNotes {
    /// -1 stands for whatever is no song.
    static let table = "CREATE TEMP TABLE mark_change (song INTEGER UNIQUE)"

    struct Event {
        var name: String
        var trigger: String

        init(_ table: String, _ moment: String, row: String, object: String, also condition: String = "") {
            name = "note_\(table)_\(moment.lowercased())"
            trigger = """
                CREATE TEMP TRIGGER \(name) AFTER \(moment) ON main.\(table)
                WHEN \(row).name IN ('like', 'rating') \(condition)
                BEGIN INSERT OR IGNORE INTO mark_change VALUES (\(object)); END
                """
        }
    }

    static let events = [
        Event("song_sticker", "INSERT", row: "NEW", object: "NEW.song"),
        Event("song_sticker", "UPDATE", row: "NEW", object: "NEW.song", also: "AND NEW.value <> OLD.value"),
        Event("song_sticker", "DELETE", row: "OLD", object: "OLD.song"),
        Event("sticker", "INSERT", row: "NEW", object: "-1"),
        Event("sticker", "UPDATE", row: "NEW", object: "-1", also: "AND NEW.value <> OLD.value"),
        Event("sticker", "DELETE", row: "OLD", object: "-1"),
        Event("album_mark", "INSERT", row: "NEW", object: "-1"),
        Event("album_mark", "UPDATE", row: "NEW", object: "-1", also: "AND NEW.value <> OLD.value"),
        Event("album_mark", "DELETE", row: "OLD", object: "-1"),
    ]
}
