import Coordination
import Synchronization
import Testing

@testable import MediaCache

/// How many pieces of work are done at the moment, and were at the most.
private final class Work: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var now: Int { counts.withLock { $0.now } }
    var most: Int { counts.withLock { $0.most } }

    func begin() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
    func end() { counts.withLock { $0.now -= 1 } }
}

@Suite("Memory for pictures")
struct PictureMemoryTests {
    @Test("large ones are made one after the other")
    func large() async throws {
        let (memory, work) = (PictureMemory(budget: .unlimited), Work())
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    try await memory.use(64 << 20) { _ in
                        work.begin()
                        for _ in 0..<50 { await Task.yield() }
                        work.end()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(work.most == 1)
    }

    @Test("small ones don't wait for a large one", .timeLimit(.minutes(1)))
    func small() async throws {
        let (memory, work) = (PictureMemory(budget: .unlimited), Work())
        try await withThrowingTaskGroup { group in
            for size in [64 << 20, 1 << 20, 1 << 20] {
                group.addTask {
                    try await memory.use(size) { _ in
                        work.begin()
                        while work.most < 3 { await Task.yield() }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(work.most == 3)
    }
}
