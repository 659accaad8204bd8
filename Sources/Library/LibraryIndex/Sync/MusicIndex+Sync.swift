import GRDB
package import MusicModel

extension MusicIndex {
    /// The songs of one source in the index, hidden ones too, for the diff: source id -> (song id, content hash). Songs
    /// that are gone are absent: when they come back they are new to the source.
    @concurrent
    package func knownSongs(mount: String) async throws -> [String: (id: SongID, hash: UInt64)] {
        try await read { database in
            var known: [String: (id: SongID, hash: UInt64)] = [:]
            known.reserveCapacity(Int(try database.integer("SELECT songs FROM library")))
            try database.forEach(
                "SELECT source_id, id, hash FROM song WHERE mount = ? AND uri IS NOT NULL", mount
            ) { known[$0.text(0)] = (SongID(rawValue: $0.int(1)), UInt64(bitPattern: $0.int(2))) }
            return known
        }
    }

    /// Applies a finished walk in one transaction; nothing is written and the generation stays when it is empty.
    /// - Throws: `LibraryError` when the disk is full or the file can't be written; the index is then as it was.
    @concurrent
    package func apply(_ changes: LibraryChanges) async throws -> AppliedChanges {
        let now = UnixTime.seconds
        let result = try await write { database in
            var writer = try SyncWriter(database)
            return try writer.apply(changes, now: now)
        }
        if result.changedAnything { cache.clear() }
        if changes.upserts.count + changes.removals.count > 2000 { database.releaseMemory() }
        if result.changedAnything { warmUp() }
        return result
    }
}
