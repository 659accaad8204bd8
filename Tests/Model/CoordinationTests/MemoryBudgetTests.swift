import Foundation
import Synchronization
import Testing

@testable import Coordination

/// A process of which a test says how much memory it uses.
private final class Machine: Sendable {
    let use = Atomic(0)
    let trims = Atomic(0)
    let reports = Mutex<[MemoryShortage]>([])

    func budget(_ limit: Int?) -> MemoryBudget {
        MemoryBudget(
            limit: limit, use: { self.use.load(ordering: .relaxed) },
            trim: { self.trims.wrappingAdd(1, ordering: .relaxed) },
            report: { shortage in self.reports.withLock { $0.append(shortage) } })
    }
}

/// A cache that gives up all it has.
private final class Cache: Sendable {
    let size: Atomic<Int>
    let machine: Machine

    init(_ size: Int, _ machine: Machine) {
        self.size = Atomic(size)
        self.machine = machine
        machine.use.wrappingAdd(size, ordering: .relaxed)
    }

    func shrink() {
        machine.use.wrappingSubtract(size.exchange(0, ordering: .relaxed), ordering: .relaxed)
    }

    var isEmpty: Bool { size.load(ordering: .relaxed) == 0 }
}

private let mebibyte = 1 << 20

@Suite("Memory budget")
struct MemoryBudgetTests {
    private let machine = Machine()

    @Test("work that fits leaves the caches alone")
    func fits() async throws {
        let budget = machine.budget(100 * mebibyte)
        let cache = Cache(50 * mebibyte, machine)
        budget.register(cache, .pages) { $0.shrink() }
        try await budget.reserve(40 * mebibyte, for: "a test").release()
        #expect(!cache.isEmpty)
        #expect(machine.trims.load(ordering: .relaxed) == 0)
    }

    @Test("caches give way to work, the least valuable first and no more than needed")
    func order() async throws {
        let budget = machine.budget(100 * mebibyte)
        let caches = [
            MemoryBudget.Worth.answers: Cache(20 * mebibyte, machine), .fetched: Cache(20 * mebibyte, machine),
            .copies: Cache(20 * mebibyte, machine), .pages: Cache(20 * mebibyte, machine),
        ]
        for (worth, cache) in caches { budget.register(cache, worth) { $0.shrink() } }
        try await budget.reserve(60 * mebibyte, for: "a test").release()
        #expect(caches.filter { $0.value.isEmpty }.keys.sorted() == [.pages, .copies])
        #expect(machine.trims.load(ordering: .relaxed) == 2)
    }

    @Test("work is refused when shrinking is not enough, and the log hears of it once")
    func refused() async throws {
        let budget = machine.budget(100 * mebibyte)
        machine.use.store(90 * mebibyte, ordering: .relaxed)
        for _ in 0..<3 {
            await #expect(throws: MemoryShortage(work: "a test", use: 90 * mebibyte, limit: 100 * mebibyte)) {
                _ = try await budget.reserve(20 * mebibyte, for: "a test")
            }
        }
        #expect(machine.reports.withLock { $0.count } == 1)
        #expect(
            machine.reports.withLock { $0.first?.description } == "Not enough memory for a test: 90 of 100 MiB are in "
                + "use. Try again later, or raise memory_budget in [server]")
    }

    @Test("what is set aside counts until it is released or freed")
    func reservations() async throws {
        let budget = machine.budget(100 * mebibyte)
        let first = try await budget.reserve(60 * mebibyte, for: "the first")
        await #expect(throws: MemoryShortage.self) { _ = try await budget.reserve(60 * mebibyte, for: "the second") }
        first.release()
        first.release()
        _ = try await budget.reserve(60 * mebibyte, for: "one that is freed")
        try await budget.reserve(60 * mebibyte, for: "the third").release()
    }

    @Test("a question has caches shrink in the background once seven eighths are in use")
    func checks() async throws {
        let budget = machine.budget(64 * mebibyte)
        let cache = Cache(50 * mebibyte, machine)
        budget.register(cache, .copies) { $0.shrink() }
        #expect(budget.isTight && !budget.isExhausted)
        #expect(!cache.isEmpty)
        machine.use.wrappingAdd(10 * mebibyte, ordering: .relaxed)
        #expect(budget.isTight)
        while !cache.isEmpty { await Task.yield() }
        #expect(!budget.isTight)
        machine.use.store(80 * mebibyte, ordering: .relaxed)
        #expect(budget.isExhausted)
    }

    @Test("caches that are gone are not asked")
    func gone() async throws {
        let budget = machine.budget(100 * mebibyte)
        let asked = Atomic(0)
        do {
            let cache = Cache(0, machine)
            budget.register(cache, .pages) { _ in fatalError("asked") }
        }
        let other = Cache(0, machine)
        budget.register(other, .pages) { _ in asked.wrappingAdd(1, ordering: .relaxed) }
        machine.use.store(100 * mebibyte, ordering: .relaxed)
        await #expect(throws: MemoryShortage.self) { _ = try await budget.reserve(1, for: "a test") }
        #expect(asked.load(ordering: .relaxed) > 0)
    }

    @Test("without a limit nothing is measured and nothing refused")
    func unlimited() async throws {
        let budget = MemoryBudget(limit: nil, use: { fatalError("measured") })
        #expect(!budget.isTight && !budget.isExhausted)
        try await budget.reserve(.max, for: "a test").release()
        #expect(budget.share(oneIn: 8, atMost: 48) == 48)
        #expect(machine.budget(80).share(oneIn: 8, atMost: 48) == 10)
    }

    @Test("the process's own use follows what it allocates")
    func ownUse() async {
        // In a process of its own, where no other test gives memory back meanwhile.
        await #expect(processExitsWith: .success) {
            let before = ProcessMemory.ownUse()
            #expect(before > 0)
            let bytes = [UInt8](repeating: 1, count: 64 << 20)
            withExtendedLifetime(bytes) { #expect(ProcessMemory.ownUse() - before > 48 << 20) }
        }
    }

    @Test(
        "by default it is a quarter of what there is, within bounds",
        arguments: [
            (512, nil, 128), (2048, nil, 512), (65_536, nil, 1024), (65_536, 1024, 256), (2048, 65_536, 512),
        ] as [(Int, Int?, Int)])
    func standard(machine: Int, allowance: Int?, expected: Int) {
        let found = ProcessMemory.standardBudget(
            machine: machine * mebibyte, allowance: allowance.map { $0 * mebibyte })
        #expect(found == expected * mebibyte)
    }

    @Test("limits of control groups are found, with those around them")
    func controlGroups() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "cgroup-\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        func write(_ text: String, _ path: String) throws {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try write("max\n", "system.slice/segue.service/memory.max")
        try write("300000000\n", "system.slice/memory.max")
        try write("400000000\n", "system.slice/segue.service/memory.high")
        try write("9223372036854771712\n", "memory/docker/1/memory.limit_in_bytes")
        try write("200000000\n", "memory/docker/memory.limit_in_bytes")
        func limit(_ membership: String?) -> Int? {
            ProcessMemory.controlGroupLimit(membership: membership, root: root.path)
        }
        #expect(limit("0::/system.slice/segue.service\n") == 300_000_000)
        #expect(limit("5:cpu,memory:/docker/1\n0::/\n") == 200_000_000)
        #expect(limit("0::/elsewhere\n") == nil)
        #expect(limit("nonsense\n0:\n::::\n") == nil)
        #expect(limit(nil) == nil)
    }
}
