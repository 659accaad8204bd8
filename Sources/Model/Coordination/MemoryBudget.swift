import Synchronization

/// The memory that the whole process may hold: caches give way first, then new work that needs much is refused. Such
/// work reserves it or asks whether memory is tight, and the process's use is read then. Beyond seven eighths of the
/// budget caches shrink, the least valuable first, until a quarter is free.
package final class MemoryBudget: Sendable {
    /// The worth of a cache's contents; the first are given up first.
    package enum Worth: Int, CaseIterable, Comparable, Sendable {
        /// Pages of the database, which the system has in its own cache too.
        case pages
        /// Copies of the database's contents, which can be read again.
        case copies
        /// Files that came over the network.
        case fetched
        /// Answers that clients don't read.
        case answers

        package static func < (left: Worth, right: Worth) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Cache: Sendable {
        let worth: Worth
        let isAlive: @Sendable () -> Bool
        let shrink: @Sendable () async -> Void
    }

    private struct State {
        var caches: [Cache] = []
        var shrinking: Task<Void, Never>?
        var lastReport: ContinuousClock.Instant?
        var lastRelief: ContinuousClock.Instant?
    }

    /// In bytes; nil is no limit.
    package let limit: Int?
    private let state = Mutex(State())
    private let reserved = Atomic(0)
    private let use: @Sendable () -> Int
    private let trim: @Sendable () -> Void
    private let report: @Sendable (MemoryShortage) -> Void

    private static let silence = Duration.seconds(600)
    /// The least time from one look that has caches shrink to the next, as trying costs milliseconds.
    private static let reliefPause = Duration.milliseconds(100)

    /// Makes a budget of that many bytes; `report` hears of a refusal at most every ten minutes.
    package init(
        limit: Int?, use: @escaping @Sendable () -> Int = { ProcessMemory.ownUse() },
        trim: @escaping @Sendable () -> Void = { ProcessMemory.trimHeap() },
        report: @escaping @Sendable (MemoryShortage) -> Void = { _ in }
    ) { (self.limit, self.use, self.trim, self.report) = (limit, use, trim, report) }

    /// A budget that is never spent.
    package static let unlimited = MemoryBudget(limit: nil)

    /// The part of the budget that one cache may take, at most what it would take without one.
    package func share(oneIn parts: Int, atMost maximum: Int) -> Int {
        limit.map { min(maximum, $0 / max(parts, 1)) } ?? maximum
    }

    /// Has a cache shrink, on any task, when memory is short, as long as it lives.
    package func register<Owner: AnyObject & Sendable>(
        _ owner: Owner, _ worth: Worth, shrink: @escaping @Sendable (Owner) async -> Void
    ) {
        guard limit != nil else { return }
        let cache = Cache(worth: worth) { [weak owner] in
            owner != nil
        } shrink: { [weak owner] in
            if let owner { await shrink(owner) }
        }
        state.withLock { state in
            state.caches.removeAll { !$0.isAlive() }
            state.caches.append(cache)
        }
    }

    /// True if more than the budget is in use now; takes some microseconds, as the next two do.
    package var isExhausted: Bool { isUsed { $0 } }

    /// True if more than a quarter of the budget is in use now.
    package var isQuarterUsed: Bool { isUsed { $0 / 4 } }

    /// True if more than three quarters of the budget are in use now.
    package var isTight: Bool { isUsed { $0 - $0 / 4 } }

    /// Reads the process's use; where it is high, caches shrink in the background.
    private func isUsed(_ part: (_ limit: Int) -> Int) -> Bool {
        guard let limit else { return false }
        let found = use()
        if found > limit - limit / 8, isDue(\.lastRelief, after: Self.reliefPause) {
            _ = shrinking(to: limit - limit / 4)
        }
        return found > part(limit)
    }

    /// True if something that happens at most once in `pause` may happen now; it counts as done then.
    private func isDue(_ last: WritableKeyPath<State, ContinuousClock.Instant?>, after pause: Duration) -> Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            if let last = state[keyPath: last], now - last < pause { return false }
            state[keyPath: last] = now
            return true
        }
    }

    /// Sets memory aside, after caches have given way, for work that is named in messages, until that is released or
    /// freed.
    /// - Throws: `MemoryShortage` when there is not enough.
    package func reserve(
        _ bytes: Int, for work: String, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Reservation {
        guard let limit else { return Reservation(bytes: 0, budget: self) }
        let reservation = Reservation(bytes: bytes, budget: self)
        if fits(limit) { return reservation }
        // The first may be at work already, for less.
        for _ in 0..<2 {
            await shrinking(to: max(0, limit - reserved.load(ordering: .relaxed))).value
            if fits(limit) { return reservation }
        }
        reservation.release()
        throw refused(work)
    }

    /// Reports that something was refused because memory is short.
    package func refused(_ work: String) -> MemoryShortage {
        let shortage = MemoryShortage(work: work, use: use(), limit: limit ?? 0)
        if isDue(\.lastReport, after: Self.silence) { report(shortage) }
        return shortage
    }

    /// Memory that is set aside.
    package final class Reservation: Sendable {
        private let bytes: Atomic<Int>
        private let budget: MemoryBudget

        fileprivate init(bytes: Int, budget: MemoryBudget) {
            self.bytes = Atomic(bytes)
            self.budget = budget
            budget.reserved.wrappingAdd(bytes, ordering: .relaxed)
        }

        deinit { release() }

        /// Ends it; the work is done.
        package func release() {
            budget.reserved.wrappingSubtract(bytes.exchange(0, ordering: .relaxed), ordering: .relaxed)
        }
    }

    private func fits(_ limit: Int) -> Bool {
        use().addingReportingOverflow(reserved.load(ordering: .relaxed)).partialValue <= limit
    }

    private func shrinking(to goal: Int) -> Task<Void, Never> {
        state.withLock { state in
            if let task = state.shrinking { return task }
            let task = Task.detached(priority: .utility) { await self.shrink(to: goal) }
            state.shrinking = task
            return task
        }
    }

    private func shrink(to goal: Int) async {
        for worth in Worth.allCases {
            let caches = state.withLock { $0.caches.filter { $0.worth == worth } }
            for cache in caches { await cache.shrink() }
            if !caches.isEmpty || worth == .pages { trim() }
            if use() <= goal { break }
        }
        state.withLock { $0.shrinking = nil }
    }
}

/// Thrown where work is refused because the process has too little memory for it.
package struct MemoryShortage: Error, Equatable, CustomStringConvertible {
    let work: String
    let use: Int
    /// How many may be.
    package let limit: Int

    /// The error and the cure, in a sentence.
    package var description: String {
        "Not enough memory for \(work): \(use >> 20) of \(limit >> 20) MiB are in use. Try again later, or raise "
            + "memory_budget in [server]"
    }
}
