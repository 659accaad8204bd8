import Coordination
import GRDB
import MusicModel
import Synchronization

/// All that is kept in memory to answer clients, of the index's current generation: the order of the tree, songs'
/// texts, paths and names, columns of tags, loudness values, the catalog and the answer to `stats`.
final class AnswerCache: Sendable {
    /// A column of a tag's own values, or one completed by other tags.
    struct ColumnKey: Hashable, Sendable {
        var tag: Tag
        var completion: [Tag] = []
    }

    /// The parts that may be read in the background because a query needed them.
    enum Want: Hashable, Sendable {
        case texts
        case column(Tag)
    }

    /// The parts of one generation that were read so far.
    struct Parts: Sendable {
        let order: WalkOrder
        let blocks: BlockMemory
        fileprivate(set) var texts: TreeTexts?
        fileprivate(set) var gains: GainColumn?
        fileprivate var columns: [ColumnKey: TagColumn] = [:]
        fileprivate var ages: [ColumnKey] = []
        fileprivate var wanted: Set<Want> = []
        /// The count of writes at which the generation was the index's, and whether it has playlist files.
        fileprivate var verified: (writes: Int, hasPlaylistFiles: Bool)?

        fileprivate init(_ order: WalkOrder, blockLimit: Int) {
            self.order = order
            blocks = BlockMemory(capacity: order.durations.count, limit: blockLimit)
        }

        func column(_ tag: Tag) -> TagColumn? { columns[ColumnKey(tag: tag)] }
    }

    private let parts = Mutex<Parts?>(nil)
    /// Counted when a client asks, since counting reads an index of all texts.
    private let names = Mutex<(generation: Int64, artists: Int, albums: Int)?>(nil)
    /// The library by albums and artists, for clients that browse that way; it may be of an older generation.
    let catalog = Mutex(CatalogMemory())
    private let statistics = Mutex<(writes: Int, statistics: LibraryStatistics)?>(nil)
    /// The memory that columns may take, in bytes; the oldest go first.
    private let columnLimit: Int
    private let blockLimit: Int

    init(memoryBudget: MemoryBudget = .unlimited) {
        columnLimit = memoryBudget.share(oneIn: 8, atMost: 48 << 20)
        blockLimit = memoryBudget.share(oneIn: 8, atMost: BlockMemory.defaultLimit)
    }

    /// Gives up all but the order, which every answer needs; what is asked for again is read again.
    func shrink() {
        catalog.withLock { $0.catalog = nil }
        guard let order = parts.withLock({ $0?.order }) else { return }
        var empty = Parts(order, blockLimit: blockLimit)
        keep(order) { parts in
            empty.verified = parts.verified
            parts = empty
        }
    }

    func clear() {
        parts.withLock { $0 = nil }
        names.withLock { $0 = nil }
    }

    // MARK: Known already

    /// The parts that are there, if they are of the generation that the caller's transaction sees.
    func known(_ database: Database) throws -> Parts? {
        let generation = try database.integer("SELECT generation FROM library")
        return parts.withLock { $0?.order.generation == generation ? $0 : nil }
    }

    func known(_ order: WalkOrder) -> Parts? { parts.withLock { $0?.order === order ? $0 : nil } }

    /// The parts that are there, and whether the index has playlist files, if that was checked at this count of writes.
    func verified(at writes: Int) -> (parts: Parts, hasPlaylistFiles: Bool)? {
        parts.withLock { parts in
            guard let parts, let verified = parts.verified, verified.writes == writes else { return nil }
            return (parts, verified.hasPlaylistFiles)
        }
    }

    /// Notes what the index said of itself at this count of writes or later.
    func verify(_ state: IndexState, at writes: Int) {
        parts.withLock { parts in
            guard parts?.order.generation == state.generation else { return }
            parts?.verified = (writes, state.hasPlaylistFiles)
        }
    }

    func statistics(at writes: Int) -> LibraryStatistics? {
        statistics.withLock { $0?.writes == writes ? $0?.statistics : nil }
    }

    func keep(_ found: LibraryStatistics, at writes: Int) { statistics.withLock { $0 = (writes, found) } }

    /// True if this was not wanted before at the generation of `order`.
    func firstToWant(_ want: Want, _ order: WalkOrder) -> Bool {
        keep(order) { $0.wanted.insert(want).inserted } ?? false
    }

    // MARK: Read where it is missing

    func names(_ database: Database) throws -> (artists: Int, albums: Int) {
        let generation = try database.integer("SELECT generation FROM library")
        if let known = names.withLock({ $0 }), known.generation == generation { return (known.artists, known.albums) }
        func count(_ tag: Tag) throws -> Int {
            Int(try database.integer("SELECT count(*) FROM value WHERE kind = \(tag.rawValue)"))
        }
        let (artists, albums) = (try count(.artist), try count(.album))
        names.withLock { $0 = (generation, artists, albums) }
        return (artists, albums)
    }

    func order(_ database: Database) throws -> WalkOrder {
        let generation = try database.integer("SELECT generation FROM library")
        if let order = parts.withLock({ $0?.order }), order.generation == generation { return order }
        let read = Parts(try WalkOrder(database, generation: generation), blockLimit: blockLimit)
        parts.withLock { parts in
            // A reader with an older snapshot must not throw out what newer ones use.
            if let parts, parts.order.generation > generation { return }
            parts = read
        }
        return read.order
    }

    func column(_ database: Database, _ tag: Tag, completion: [Tag] = [], order: WalkOrder) throws -> TagColumn {
        let key = ColumnKey(tag: tag, completion: completion)
        if let known = known(order)?.columns[key] { return known }
        let column: TagColumn
        if completion.isEmpty {
            column = try TagColumn(database, tag, songCapacity: order.durations.count)
        } else {
            let own = try self.column(database, tag, order: order)
            let others =
                order.all.subtracting(own.present).isEmpty
                ? [] : try completion.map { try self.column(database, $0, order: order) }
            column = own.completed(by: others, all: order.all)
        }
        keep(order) { parts in
            parts.columns[key] = column
            parts.ages.removeAll { $0 == key }
            parts.ages.append(key)
            var total = parts.columns.values.reduce(0) { $0 + $1.footprint }
            while total > columnLimit, parts.ages.count > 1 {
                total -= parts.columns.removeValue(forKey: parts.ages.removeFirst())?.footprint ?? 0
            }
        }
        return column
    }

    func gains(_ database: Database, order: WalkOrder) throws -> GainColumn {
        if let known = known(order)?.gains { return known }
        let gains = try GainColumn(database, songCapacity: order.durations.count)
        keep(order) { $0.gains = gains }
        return gains
    }

    /// The paths of directories and the names of songs; nil when they don't fit together.
    func texts(_ database: Database, order: WalkOrder) throws -> TreeTexts? {
        if let known = known(order)?.texts { return known }
        let texts = try TreeTexts(database, order)
        keep(order) { $0.texts = texts }
        return texts
    }

    /// Changes the parts that belong to `order`, if they are still there.
    @discardableResult
    private func keep<Value: Sendable>(_ order: WalkOrder, _ change: (inout Parts) -> Value) -> Value? {
        parts.withLock { parts in
            guard var known = parts, known.order === order else { return nil }
            parts = nil
            defer { parts = known }
            return change(&known)
        }
    }
}
