import Coordination
import SyncBench
import Synchronization
import Testing

@testable import Sync

@Suite("Syncs while memory is short")
struct MemoryTests {
    /// A cache that counts how often it was asked to shrink.
    private final class Cache: Sendable {
        let requests = Atomic(0)
    }

    @Test("caches give way to a walk, whose pages then come one at a time, and all songs still arrive")
    func walk() async throws {
        let bench = try await ServerBench()
        let use = Atomic(0)
        let cache = Cache()
        let budget = MemoryBudget(limit: 64 << 20, use: { use.load(ordering: .relaxed) }, trim: {})
        budget.register(cache, .copies) { $0.requests.wrappingAdd(1, ordering: .relaxed) }
        let walk = Phase2WalkSongs(client: bench.client, settings: ServerBench.settings, memoryBudget: budget)
        #expect(walk.pagesInFlight == ServerBench.settings.pagesInFlight && walk.pagesInFlight > 1)
        use.store(60 << 20, ordering: .relaxed)
        var count = 0
        _ = try await walk.run(total: nil, mapping: SongMapping(mount: "", details: CatalogDetails())) {
            count += $0.count
        }
        #expect(count == 420)
        #expect(walk.pagesInFlight == 1)
        while cache.requests.load(ordering: .relaxed) == 0 { await Task.yield() }
        await bench.stop()
    }
}
