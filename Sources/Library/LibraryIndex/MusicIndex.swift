import Coordination
import GRDB
import Glibc
package import Logging
import MusicModel
import Synchronization

/// The songs that there are: their tags and paths, searches among them, and answers about them.
///
/// It lies in SQLite; what is asked for often is kept in memory until a sync changes it.
/// - Isolation: any; async methods suspend the caller and never block its executor.
package final class MusicIndex: DatabaseAccess {
    package let database: LibraryDatabase
    let renderer: any SongRendering
    let cache: IndexCache
    /// The library by albums and artists, for those who browse so.
    let catalogs = CatalogCache()
    /// Lets queries through that keep a core busy for long: one core is left for everything else.
    let heavyQueries = ConcurrencyLimit(sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)
    private let refreshing = Mutex<Task<Void, Never>?>(nil)
    private let log: Logger

    /// Works on a database whose parts include `SchemaPart.index`.
    package init(
        _ database: LibraryDatabase, renderer: any SongRendering, log: Logger = Logger(label: "segue.index")
    ) {
        self.database = database
        self.log = log
        self.renderer = renderer
        cache = IndexCache(memoryBudget: database.memoryBudget)
        database.memoryBudget.register(cache, .copies) { $0.shrink() }
        database.memoryBudget.register(catalogs, .copies) { $0.memory.withLock { $0.catalog = nil } }
        refreshStaleBlocks()
        warmUp()
    }

    /// Reads the order of the tree in the background, so that no client has to wait for it.
    func warmUp() { Task.detached { [self] in try await read { [cache] in try cache.order($0) } } }

    /// Ends what it does in the background, before the database is closed.
    package func stop() { refreshing.withLock { $0?.cancel() } }

    /// Renders stored blocks anew when another version of the renderer wrote them; until that is done, answers are
    /// rendered as they go.
    private func refreshStaleBlocks() {
        let version = Int64(renderer.version)
        do {
            let isFresh = try database.writeNow { database in
                if try database.integer("SELECT ifnull(block_version, -1) FROM library") == version { return true }
                guard try database.integer("SELECT EXISTS (SELECT 1 FROM block)") == 0 else { return false }
                try BlockRefresh(self, database).finish()
                return true
            }
            if isFresh { return }
        } catch {
            return reportStaleBlocks(error)
        }
        let task = Task.detached(priority: .utility) { [weak self] in
            var next: Int64? = 0
            while !Task.isCancelled, let index = self, let from = next {
                do {
                    next = try await index.write { try BlockRefresh(index, $0).refresh(after: from) }
                } catch {
                    if !Task.isCancelled { index.reportStaleBlocks(error) }
                    return
                }
            }
        }
        refreshing.withLock { $0 = task }
    }

    private func reportStaleBlocks(_ error: any Error) {
        log.warning("answers about songs stay slow until the next start: they can't be rendered anew: \(chain: error)")
    }
}
