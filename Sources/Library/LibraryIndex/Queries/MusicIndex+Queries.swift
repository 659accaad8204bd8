import Coordination
import GRDB
package import MusicModel

/// Queries. All throw `LibraryError`: `.noSuchDirectory` for a `base` that does not exist, `.badExpression`.
extension MusicIndex {
    /// Songs that match, as protocol text (`find`, `search`).
    package func find(
        _ query: SongQuery, mask: TagMask, isolation: isolated (any Actor)? = #isolation
    ) async throws -> AnswerCursor {
        if let path = query.wholeFolder, let cursor = memory?.songs(inFolder: path, mask) { return cursor }
        return try await read(for: query.filter) { [self] database in
            try AnswerCursor(self, [.songs(songs(query, database)[...], .blocks(mask))], database)
        }
    }

    /// Songs that match, to enter a queue or a playlist (`findadd`, `searchadd`, `searchaddpl`).
    package func findQueueable(_ query: SongQuery) async throws -> [QueueableSong] {
        try await read(for: query.filter) { [self] database in
            try queueable(songs(query, database)[...], database)
        }
    }

    /// `list TAG ... group ...`: distinct values in MPD's order and grouping.
    package func list(_ tag: Tag, filter: SongFilter, groups: [Tag]) async throws -> [GroupedValue] {
        try await read(for: filter, isHeavy: groups.count > 1) { [self] database in
            let (order, songs) = try matches(filter, database)
            return try TagValues(database: database, cache: cache, order: order).list(tag, groups: groups, songs: songs)
        }
    }

    /// `list file`: the URIs of the songs that match.
    package func listFiles(filter: SongFilter) async throws -> AnswerCursor {
        try await read(for: filter) { [self] database in
            try AnswerCursor(self, [.songs(songs(SongQuery(filter), database)[...], .uris)], database)
        }
    }

    /// `count` and `searchcount`: one entry without groups, or one for each combination of values.
    package func count(filter: SongFilter, groups: [Tag]) async throws -> [GroupedCount] {
        try await read(for: filter, isHeavy: groups.count > 1) { [self] database in
            let (order, songs) = try matches(filter, database)
            return try TagValues(database: database, cache: cache, order: order).count(groups: groups, songs: songs)
        }
    }

    /// Which of these songs match, by their places in `ids`, for searches in the queue; nil where one of them is
    /// hidden.
    package func places(of filter: SongFilter, among ids: [SongID]) async throws -> [Int]? {
        try await read(for: filter) { [self] database in
            let order = try cache.order(database)
            if ids.contains(where: { !order.all.contains($0.rawValue) }) { return nil }
            let found = try FilterEvaluation(database: database, cache: cache, order: order).songs(matching: filter)
            return ids.indices.filter { found.contains(ids[$0].rawValue) }
        }
    }

    /// Reads what a filter asks for; one that may keep a core busy for long waits for its turn.
    private func read<Value: Sendable>(
        for filter: SongFilter, isHeavy: Bool = false, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        guard isHeavy || filter.hasRegularExpression else { return try await read(body) }
        let room = try await memoryBudget.reserve(Self.memoryOfHeavyQuery, for: "a search")
        defer { room.release() }
        try await heavyQueries.acquire()
        defer { heavyQueries.release() }
        return try await read(body)
    }

    private static let memoryOfHeavyQuery = 24 << 20

    /// The songs that match, and the order that they are in; nil stands for all.
    private func matches(_ filter: SongFilter, _ database: Database) throws -> (order: WalkOrder, songs: SongSet?) {
        let order = try cache.order(database)
        if let base = filter.topBase, !base.isEmpty, base != "/" {
            let lookup = try TreeLookup(database)
            guard try lookup.directory(at: base) != nil || lookup.song(at: base) != nil else {
                throw LibraryError(.noSuchDirectory, "No such directory")
            }
        }
        if case .all = filter { return (order, nil) }
        let evaluation = FilterEvaluation(
            database: database, cache: cache, order: order, wantColumn: { self.want(.column($0), order) })
        return (order, try evaluation.songs(matching: filter))
    }

    private func songs(_ query: SongQuery, _ database: Database) throws -> [UInt32] {
        if let path = query.wholeFolder, let order = try cache.known(database)?.order,
            let directories = try TreeLookup(database).subtree(of: path, in: order)
        {
            return Array(order.songs(inDirectories: directories))
        }
        let (order, found) = try matches(query.filter, database)
        return try SongOrder(database: database, cache: cache, order: order)
            .sorted(found.map(order.ordered) ?? order.songs, by: query.sort, window: query.window)
    }

    /// The places of `ids` in the order that a sort by a tag or a time gives them; equal ones stay as they are.
    package func order(of ids: [SongID], by sort: SongSort) async throws -> [Int] {
        try await read { [self] database in
            let order = try cache.order(database)
            let known = order.durations.count
            // Numbers that this snapshot doesn't know any more sort as songs without anything.
            let songs = ids.map { $0.rawValue < known ? UInt32(clamping: $0.rawValue) : 0 }
            let sorting = SongOrder(database: database, cache: cache, order: order)
            return try known > 0 ? sorting.indices(of: songs, by: sort) ?? Array(ids.indices) : Array(ids.indices)
        }
    }
}

extension SongQuery {
    /// The folder of which all songs are wanted in their order; nil for other queries.
    fileprivate var wholeFolder: String? {
        guard case .base(let path) = filter, sort == nil, window == nil, !path.endsWithSlash else { return nil }
        return path
    }
}
