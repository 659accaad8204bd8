import Coordination
import GRDB
import Glibc
package import Logging
import MPDProtocol
import MusicModel

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
            if !isFresh { try database.writeNow { try BlockRefresh(database: $0).run() } }
        } catch {
            log.warning("answers about songs stay in an older form: they can't be written again: \(chain: error)")
        }
    }
}
