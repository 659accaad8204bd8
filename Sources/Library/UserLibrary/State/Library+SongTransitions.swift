import GRDB
import LibraryIndex
package import MusicModel

/// Reads that say how one song goes over into the next: of a row or two, quick enough for the event loop.
extension Library {
    /// The measured loudness of a song's beginning and end; nil where nothing was measured, or while the database is
    /// busy.
    package func measuredRamps(of song: SongID) -> MixRampTags? {
        database.quickly { database -> MixRampTags? in
            try database.first(
                """
                SELECT ramp_start, ramp_end FROM analysis a JOIN song s ON s.id = a.song
                WHERE a.song = ? AND a.tries = 0 AND a.size IS s.size
                """, song.rawValue
            ) { MixRampTags(start: $0.optionalText(0), end: $0.optionalText(1)) }
        }
    }

    /// The measured beats of a song's beginning and end; nil where nothing was measured, or while the database is busy.
    package func measuredBeats(of song: SongID) -> SongBeats? {
        database.quickly { database -> SongBeats? in
            try database.first(
                """
                SELECT beats_start, beats_end FROM analysis a JOIN song s ON s.id = a.song
                WHERE a.song = ? AND a.tries = 0 AND a.size IS s.size
                """, song.rawValue
            ) { SongBeats(head: BeatGrid($0.optionalText(0)), tail: BeatGrid($0.optionalText(1))) }
        }
    }

    /// True if a song is the one behind another on the same album, by the order of their folders; false while the
    /// database is busy.
    package func follows(_ next: SongID, on first: SongID) -> Bool {
        let isNext = database.quickly { database -> Bool? in
            try database.first(
                """
                SELECT n.id, n.tags, f.tags FROM song f JOIN song n ON n.walk > f.walk WHERE f.id = ?
                ORDER BY n.walk LIMIT 1
                """, first.rawValue
            ) { row in
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
