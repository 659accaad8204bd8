import Coordination
import GRDB
import Glibc
package import Logging
import MPDProtocol
package import MusicModel

/// The songs that there are: their tags and paths, searches among them, and answers about them. It lies in SQLite; what
/// is asked for often is kept in memory until a sync changes it.
/// - Isolation: any; async methods suspend the caller and never block its executor.
package final class MusicIndex: DatabaseAccess {
    package let database: LibraryDatabase
    let cache: AnswerCache
    /// Lets queries through that keep a core busy for long: one core is left for everything else.
    let heavyQueries = ConcurrencyLimit(sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)

    /// Works on a database whose parts include `SchemaPart.index`.
    package init(_ database: LibraryDatabase, log: Logger = Logger(label: "segue.index")) {
        self.database = database
        cache = AnswerCache(memoryBudget: database.memoryBudget)
        database.memoryBudget.register(cache, .copies) { $0.shrink() }
        renewBlocks(log)
        warmUp()
    }

    /// Reads the order of the tree in the background, so that no client has to wait for it.
    func warmUp() { Task.detached { [self] in try await read { [cache] in try cache.order($0) } } }

    /// Writes blocks again that another version wrote, before any client reads them.
    private func renewBlocks(_ log: Logger) {
        do {
            let version = Int64(SongBlock.version)
            let isFresh = try database.readNow {
                try $0.integer("SELECT ifnull(block_version, -1) FROM library") == version
            }
            if !isFresh { try database.writeNow(Self.writeBlocks) }
        } catch {
            log.warning("answers about songs stay in an older form: they can't be written again: \(chain: error)")
        }
    }

    private static func writeBlocks(_ database: Database) throws {
        let update = try SQLStatement(database, "UPDATE block SET block = ? WHERE id = ?")
        let reader = try SongReader(database)
        for id in try database.rows("SELECT id FROM block ORDER BY id", read: { $0.int(0) }) {
            if let song = try reader.song(id) { try update.run(SongBlock.text(of: song, mask: .standard), id) }
        }
        try database.run("UPDATE library SET block_version = ?", SongBlock.version)
    }

    /// The songs that one source has in the index, hidden ones too, for the diff: source id -> (song id, content hash).
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
