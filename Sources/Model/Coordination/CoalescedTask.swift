import Synchronization

/// Does work once for many that want it: a while after the first of them. One that asks while the work runs, or after
/// it, has it done again.
/// - Isolation: any; the work runs on Swift's own threads, at the priority of background work.
package final class CoalescedTask: Sendable {
    private let isPlanned = Atomic(false)
    private let clock: any ServiceClock

    /// Plans nothing yet.
    /// - Parameter clock: tells when delays are over.
    package init(clock: any ServiceClock = ContinuousClock()) { self.clock = clock }

    /// Has work done after a delay, unless it is planned already.
    /// - Parameters:
    ///   - delay: how long others may still ask for the same; a plan that is made keeps its time.
    ///   - owner: what the work is for; once it is freed, nothing is done.
    package func plan<Owner: AnyObject & Sendable>(
        after delay: Duration, for owner: Owner, _ work: @escaping @Sendable (Owner) async -> Void
    ) {
        guard !isPlanned.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task.detached(priority: .utility) { [weak owner] in
            try? await self.clock.sleep(for: delay)
            // Before the work: what changes while it runs needs it once more.
            self.isPlanned.store(false, ordering: .sequentiallyConsistent)
            if let owner { await work(owner) }
        }
    }
}
