import Synchronization
import Testing

@testable import Coordination

/// Counts who is in.
private final class Crowd: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func join() {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }

    func part() { counts.withLock { $0.now -= 1 } }
}

@Suite("A limit of how many tasks do something")
struct ConcurrencyLimitTests {
    @Test("no more than so many are in at a time, and all get their turn")
    func limits() async throws {
        let limit = ConcurrencyLimit(2)
        let crowd = Crowd()
        let tasks = (0..<50).map { _ in
            Task.detached {
                try await limit.acquire()
                crowd.join()
                await Task.yield()
                crowd.part()
                limit.release()
            }
        }
        for task in tasks { try await task.value }
        #expect(crowd.most <= 2)
    }

    @Test("a task that is cancelled while it waits takes no place")
    func cancelled() async throws {
        let limit = ConcurrencyLimit(1)
        try await limit.acquire()
        let waiting = Task.detached { try await limit.acquire() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        limit.release()
        try await limit.acquire()
    }

    @Test("tasks of one actor enter in the order in which they came there")
    @MainActor
    func order() async throws {
        for _ in 0..<50 {
            let limit = ConcurrencyLimit(1)
            var entered: [Int] = []
            let tasks = (0..<4).map { number in
                Task.immediate {
                    try await limit.acquire()
                    entered.append(number)
                    limit.release()
                }
            }
            for task in tasks { try await task.value }
            #expect(entered == [0, 1, 2, 3])
        }
    }
}
