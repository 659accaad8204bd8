import Coordination
import GRDB
import MusicModel
import Synchronization

/// How many artists and albums the library has.
struct NameCounts: Sendable {
    var artists: Int
    var albums: Int
}

/// The parts of the index in memory at its current generation: the order of the tree, and columns of
/// tags.
///
/// Everything here can be read again from the database; a change of the generation discards it.
final class IndexCache: Sendable {
    /// A column of a tag's own values, or one completed by other tags.
    struct ColumnKey: Hashable, Sendable {
        var tag: Tag
        var completion: [Tag]
    }

    /// The parts that may be read in the background because a query needed them.
    enum Want: Hashable, Sendable {
        case texts
        case column(Tag)
    }

    fileprivate struct Contents: Sendable {
        var order: WalkOrder?
        var columns: [ColumnKey: TagColumn] = [:]
        var gains: GainColumn?
        var texts: TreeTexts?
        var blocks: BlockMemory?
        /// The parts that are being read in the background, or were.
        var wanted: Set<Want> = []
        /// The part in memory, as of a count of writes; nil while that is not known.
        var verified: (writes: Int, hasPlaylistFiles: Bool)?
        /// Oldest first.
        var ages: [ColumnKey] = []
    }

    private let contents = Mutex(Contents())
    /// Counted when a client asks; clients ask often, and counting reads an index of all texts.
    private let counted = Mutex((generation: Int64(-1), names: NameCounts(artists: 0, albums: 0)))
    private let statistics = Mutex<(writes: Int, statistics: LibraryStatistics)?>(nil)
    /// The memory that columns may take, in bytes; the oldest go first.
    private let limit: Int
    private let memoryBudget: MemoryBudget

    init(memoryBudget: MemoryBudget = .unlimited) {
        self.memoryBudget = memoryBudget
        limit = memoryBudget.share(oneIn: 8, atMost: 48 << 20)
    }

    /// Gives up all but the order, which every answer needs; what is asked for again is read again.
    func shrink() {
        contents.withLock { contents in
            contents = Contents(order: contents.order, verified: contents.verified)
        }
    }

    /// Forgets everything.
    func clear() {
        contents.withLock { $0 = Contents() }
        counted.withLock { $0.generation = -1 }
    }

    /// How many artists and albums there are.
    func names(_ database: Database) throws -> NameCounts {
        let generation = try database.integer("SELECT generation FROM library")
        if let known = try namesInMemory(database) { return known }
        func count(_ tag: Tag) throws -> Int {
            Int(try database.integer("SELECT count(*) FROM value WHERE kind = \(tag.rawValue)"))
        }
        let names = NameCounts(artists: try count(.artist), albums: try count(.album))
        counted.withLock { $0 = (generation, names) }
        return names
    }

    /// How many artists and albums there are, if that was counted at this generation.
    func namesInMemory(_ database: Database) throws -> NameCounts? {
        let generation = try database.integer("SELECT generation FROM library")
        return counted.withLock { $0.generation == generation ? $0.names : nil }
    }

    /// The order of the tree as the caller's transaction sees it, if it is there already.
    func orderInMemory(_ database: Database) throws -> WalkOrder? {
        let generation = try database.integer("SELECT generation FROM library")
        return contents.withLock { $0.order?.generation == generation ? $0.order : nil }
    }

    /// The order of the tree as the caller's transaction sees it.
    func order(_ database: Database) throws -> WalkOrder {
        let generation = try database.integer("SELECT generation FROM library")
        if let order = contents.withLock({ $0.order }), order.generation == generation { return order }
        let order = try WalkOrder(database, generation: generation)
        contents.withLock { contents in
            // A reader with an older snapshot must not throw out what newer ones use.
            if let kept = contents.order, kept.generation > generation { return }
            contents = Contents(order: order)
        }
        return order
    }

    /// The column of `tag`, completed by the values of `completion` for songs that lack it.
    func column(_ database: Database, _ tag: Tag, completion: [Tag] = [], order: WalkOrder) throws -> TagColumn {
        let key = ColumnKey(tag: tag, completion: completion)
        let cached = contents.withLock { $0.order === order ? $0.columns[key] : nil }
        if let cached { return cached }
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
        keep(column, key, order)
        return column
    }

    /// The column of `tag` without completion, if it is there already.
    func cachedColumn(_ tag: Tag, order: WalkOrder) -> TagColumn? {
        contents.withLock { $0.order === order ? $0.columns[ColumnKey(tag: tag, completion: [])] : nil }
    }

    /// The loudness values of all songs.
    func gains(_ database: Database, order: WalkOrder) throws -> GainColumn {
        if let gains = contents.withLock({ $0.order === order ? $0.gains : nil }) { return gains }
        let gains = try GainColumn(database, songCapacity: order.durations.count)
        contents.withLock { if $0.order === order { $0.gains = gains } }
        return gains
    }

    /// The loudness values of all songs, if they are there already.
    func cachedGains(order: WalkOrder) -> GainColumn? {
        contents.withLock { $0.order === order ? $0.gains : nil }
    }

    /// The paths of directories and the names of songs; nil when they don't fit together.
    func texts(_ database: Database, order: WalkOrder) throws -> TreeTexts? {
        if let texts = contents.withLock({ $0.order === order ? $0.texts : nil }) { return texts }
        let texts = try TreeTexts(database, order)
        contents.withLock { if $0.order === order { $0.texts = texts } }
        return texts
    }

    /// The paths and names, if they are there already.
    func cachedTexts(order: WalkOrder) -> TreeTexts? {
        contents.withLock { $0.order === order ? $0.texts : nil }
    }

    // MARK: Without the index

    /// The memory of blocks that belongs to the order at this generation; nil while that is not there.
    func blocks(generation: Int64) -> BlockMemory? {
        contents.withLock { contents in
            guard let order = contents.order, order.generation == generation else { return nil }
            return contents.blocks(order, memoryBudget)
        }
    }

    /// The part in memory, if it was checked since the last write.
    func memory(afterWrites writes: Int) -> MemoryIndex? {
        contents.withLock { $0.verified?.writes == writes ? $0.memory(memoryBudget) : nil }
    }

    /// The parts in memory, after the state of the index was read at this count of writes or later; nil where
    /// that is of another generation.
    func memory(_ state: IndexState, afterWrites writes: Int) -> MemoryIndex? {
        contents.withLock { contents in
            guard contents.order?.generation == state.generation else { return nil }
            contents.verified = (writes, state.hasPlaylistFiles)
            return contents.memory(memoryBudget)
        }
    }

    /// The answer to `stats`, if nothing was written since that was found out.
    func statistics(afterWrites writes: Int) -> LibraryStatistics? {
        statistics.withLock { $0?.writes == writes ? $0?.statistics : nil }
    }

    /// Keeps what was read at this count of writes or later.
    func keep(_ found: LibraryStatistics, afterWrites writes: Int) {
        statistics.withLock { $0 = (writes, found) }
    }

    /// Whether this was not wanted before at the generation of `order`.
    func firstToWant(_ want: Want, _ order: WalkOrder) -> Bool {
        contents.withLock { $0.order === order && $0.wanted.insert(want).inserted }
    }

    private func keep(_ column: TagColumn, _ key: ColumnKey, _ order: WalkOrder) {
        contents.withLock { contents in
            guard contents.order === order else { return }
            contents.columns[key] = column
            contents.ages.removeAll { $0 == key }
            contents.ages.append(key)
            var total = contents.columns.values.reduce(0) { $0 + $1.footprint }
            while total > limit, contents.ages.count > 1 {
                total -= contents.columns.removeValue(forKey: contents.ages.removeFirst())?.footprint ?? 0
            }
        }
    }
}

extension IndexCache.Contents {
    /// The memory of blocks, which is made when it is needed first.
    fileprivate mutating func blocks(_ order: WalkOrder, _ memoryBudget: MemoryBudget) -> BlockMemory {
        if let blocks { return blocks }
        let made = BlockMemory(
            capacity: order.durations.count,
            limit: memoryBudget.share(oneIn: 8, atMost: BlockMemory.defaultLimit))
        blocks = made
        return made
    }

    fileprivate mutating func memory(_ memoryBudget: MemoryBudget) -> MemoryIndex? {
        guard let order, let verified else { return nil }
        return MemoryIndex(
            order: order, texts: texts, blocks: blocks(order, memoryBudget),
            hasPlaylistFiles: verified.hasPlaylistFiles)
    }
}
