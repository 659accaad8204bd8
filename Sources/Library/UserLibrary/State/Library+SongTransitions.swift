import GRDB
import LibraryIndex
package import MusicModel

/// Reads that say how one song goes over into the next: of a row or two, quick enough for the event loop.
extension Library {
    /// The measured loudness of a song's beginning and end; nil where nothing was measured, or while the database is
    /// busy.
    package func measuredRamps(of song: SongID) -> MixRampTags? {
        database.quickly { database -> MixRampTags? in
            let row = try SQLStatement(
                database,
                """
                SELECT ramp_start, ramp_end FROM analysis a JOIN song s ON s.id = a.song
                WHERE a.song = ? AND a.tries = 0 AND a.size IS s.size
                """)
            row.bind(1, song.rawValue)
            return try row.first { MixRampTags(start: row.optionalText(0), end: row.optionalText(1)) }
        }
    }

    /// The measured beats of a song's beginning and end; nil where nothing was measured, or while the database is busy.
    package func measuredBeats(of song: SongID) -> SongBeats? {
        database.quickly { database -> SongBeats? in
            let row = try SQLStatement(
                database,
                """
                SELECT beats_start, beats_end FROM analysis a JOIN song s ON s.id = a.song
                WHERE a.song = ? AND a.tries = 0 AND a.size IS s.size
                """)
            row.bind(1, song.rawValue)
            return try row.first {
                SongBeats(head: BeatGrid(row.optionalText(0)), tail: BeatGrid(row.optionalText(1)))
            }
        }
    }

    /// Whether a song is the one behind another on the same album, by the order of their folders; false while the
    /// database is busy.
    package func follows(_ next: SongID, on first: SongID) -> Bool {
        let isNext = database.quickly { database -> Bool? in
            let row = try SQLStatement(
                database,
                """
                SELECT n.id, n.tags, f.tags FROM song f JOIN song n ON n.walk > f.walk WHERE f.id = ?
                ORDER BY n.walk LIMIT 1
                """)
            row.bind(1, first.rawValue)
            return try row.first {
                guard row.int(0) == next.rawValue, let album = Self.album(row.bytes(1)) else { return false }
                return album == Self.album(row.bytes(2))
            }
        }
        return isNext ?? false
    }

    private static func album(_ tags: UnsafeRawBufferPointer) -> Int64? {
        TagList.decode(tags).first { $0.tag == .album }.map { Int64($0.value) }
    }
}
