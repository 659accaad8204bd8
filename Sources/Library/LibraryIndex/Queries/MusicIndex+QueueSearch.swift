import GRDB
package import MusicModel

extension MusicIndex {
    /// The places of `ids` in the order that a sort by a tag or a time gives them; equal ones stay as they are.
    @concurrent
    package func order(of ids: [SongID], by sort: SongSort) async throws -> [Int] {
        try await read { [self] database in
            let order = try cache.order(database)
            let known = order.durations.count
            // Numbers that this snapshot doesn't know any more sort as songs without anything.
            let songs = ids.map { $0.rawValue < known ? UInt32(clamping: $0.rawValue) : 0 }
            let sorting = SongOrder(database: database, cache: cache, order: order)
            guard known > 0, let keys = try sorting.keys(sort.key, songs) else { return Array(ids.indices) }
            let maxKey = keys.max() ?? 0
            var positions = keys.enumerated().map { index, key in
                (sort.isDescending ? maxKey - key : key) << 32 | UInt64(index)
            }
            positions.sort()
            return positions.map { Int($0 & 0xFFFF_FFFF) }
        }
    }
}
