import Coordination
import GRDB
package import MusicModel
import Synchronization

/// The catalog that is kept, and the task that reads a newer one.
struct CatalogMemory {
    var catalog: Catalog?
    var reading: Task<Catalog, any Error>?
    /// When the last one was read, and how long that took.
    var read = (at: ContinuousClock.now, took: Duration.zero)
}

extension MusicIndex {
    /// The library by albums, artists and genres; while a sync is at work it may be some seconds old.
    package func catalog() async throws -> Catalog {
        let generation = try await read { try $0.integer("SELECT generation FROM library") }
        let reading = cache.catalog.withLock { memory -> Task<Catalog, any Error> in
            if let catalog = memory.catalog {
                let rest = memory.read.took * 10
                if catalog.generation == generation || .now - memory.read.at < rest { return Task { catalog } }
            }
            let reading = memory.reading ?? Task { try await self.readCatalog() }
            memory.reading = reading
            return reading
        }
        return try await reading.value
    }

    private func readCatalog() async throws -> Catalog {
        defer { cache.catalog.withLock { $0.reading = nil } }
        let start = ContinuousClock.now
        let catalog = try await read { [cache] database in
            let order = try cache.order(database)
            return try CatalogBuilder.build(database, generation: order.generation, order)
        }
        cache.catalog.withLock { memory in
            memory.catalog = catalog
            memory.read = (.now, .now - start)
        }
        return catalog
    }

    /// Looks a text up among these tags, and the songs that have it.
    package func songs(with value: String, of tags: [Tag]) async throws -> SongSet {
        try await read { database in
            var found = SongSet()
            let row = try SQLStatement(
                database,
                "SELECT song FROM song_value WHERE value = (SELECT id FROM value WHERE kind = ? AND text = ?)")
            for tag in tags { try row.forEach(Int64(tag.rawValue), value) { found.insert($0.int(0)) } }
            return found
        }
    }

    /// The songs that a query wants, in its order: how many there are, and those in the window.
    package func songs(
        _ query: CatalogQuery, in window: Range<Int>, withLetters: Bool
    ) async throws -> (total: Int, songs: [SongID], letters: [CatalogLetter]) {
        let catalog = try await catalog()
        var wanted: SongSet?
        if let genre = query.genre { wanted = try await songs(with: genre, of: [.genre]) }
        if let id = query.artist {
            var songs = SongSet()
            if let artist = catalog.artist(id: id) {
                songs = try await self.songs(with: artist.name, of: [.artist, .albumArtist])
            }
            wanted = wanted.map { intersection($0, songs) } ?? songs
        }
        let known = wanted
        return try await read { [self] database in
            let order = try cache.order(database)
            var wanted = known
            if let filter = query.wholeFilter {
                let found = try FilterEvaluation(database: database, cache: cache, order: order).songs(matching: filter)
                wanted = wanted.map { intersection($0, found) } ?? found
            }
            let titles = try cache.column(database, .title, order: order)
            let ordered = try songOrder(catalog, query, titles, database)
            let set = wanted
            let found =
                query.isFiltered
                ? ordered.filter { song in
                    guard order.all.contains(Int64(song)), set?.contains(Int64(song)) != false else { return false }
                    let id = SongID(rawValue: Int64(song))
                    if let years = query.years, !years.contains(catalog.album(of: id)?.year ?? 0) { return false }
                    return query.songs?.contains(id) != false && !query.without.contains(id)
                }
                : catalog.generation == order.generation ? ordered : ordered.filter { order.all.contains(Int64($0)) }
            let best =
                query.sort == .relevance && !query.words.isEmpty
                ? try Relevance(query.words).sorted(found, of: titles) : found
            let part = query.isDescending ? best.reversed() : best
            let shown = part[window.clamped(to: 0..<part.count)].map { SongID(rawValue: Int64($0)) }
            let hasLetters = withLetters && query.sort == .title && !query.isDescending
            let letters = hasLetters ? catalog.songLetters(part, titles, generation: order.generation) : []
            return (part.count, shown, letters)
        }
    }

    private func intersection(_ first: SongSet, _ second: SongSet) -> SongSet {
        var both = first
        both.formIntersection(second)
        return both
    }

    private func songOrder(
        _ catalog: Catalog, _ query: CatalogQuery, _ titles: TagColumn, _ database: Database
    ) throws -> [UInt32] {
        switch query.sort {
        case .artist: return catalog.songs
        case .title, .relevance:
            return catalog.order("songs.title") {
                let folded = (0...titles.count).map { $0 == 0 ? "" : TextFolding.folded(titles.text(UInt32($0))) }
                let ranks = folded.indices.sorted { folded[$0] < folded[$1] }
                var positions = [UInt32](repeating: 0, count: ranks.count)
                for (index, rank) in ranks.enumerated() { positions[rank] = UInt32(index) }
                return sorted(catalog.songs) { UInt64(positions[Int(titles.firstRank(of: $0))]) }
            }
        case .year:
            return catalog.order("songs.year") {
                sorted(catalog.songs) { UInt64(clamping: catalog.album(of: SongID(rawValue: Int64($0)))?.year ?? 0) }
            }
        case .added, .duration:
            let column = query.sort == .added ? "added" : "duration"
            return try catalog.order("songs.\(column)") {
                var values: [UInt32: UInt64] = [:]
                try database.forEach(
                    "SELECT id, max(0, ifnull(\(column), 0)) FROM song WHERE walk IS NOT NULL"
                ) { values[UInt32(clamping: $0.int(0))] = UInt64(clamping: $0.int(1)) }
                return sorted(catalog.songs) { values[$0] ?? 0 }
            }
        case .rating:
            return sorted(catalog.songs) { UInt64(clamping: query.ratings[SongID(rawValue: Int64($0))] ?? 0) }
        case .played:
            return sorted(catalog.songs) { UInt64(clamping: query.plays[SongID(rawValue: Int64($0))] ?? 0) }
        case .random:
            var generator = SplitMix64(seed: query.seed)
            return catalog.songs.shuffled(using: &generator)
        }
    }

    private func sorted(_ songs: [UInt32], by key: (UInt32) -> UInt64) -> [UInt32] {
        songs.enumerated().map { (key: key($1), position: $0, song: $1) }
            .sorted { ($0.key, $0.position) < ($1.key, $1.position) }.map(\.song)
    }
}

extension CatalogQuery {
    fileprivate var wholeFilter: SongFilter? {
        let parts =
            words.map { SongFilter.text(.any, StringTest(.contains, $0, foldsCase: true)) } + [filter].compactMap { $0 }
        return parts.isEmpty ? nil : .and(parts)
    }
}
