import Synchronization

/// Does work once for many that want it, a while after the first of them; for one that asks later, again.
/// - Isolation: any; the work runs on Swift's own threads, at the priority of background work.
package final class CoalescedTask: Sendable {
    private let isPlanned = Atomic(false)
    private let clock: any ServiceClock

    /// Plans nothing yet; `clock` tells when delays are over.
    package init(clock: any ServiceClock = ContinuousClock()) { self.clock = clock }

    /// Has work done for an owner after a delay, unless it is planned already; nothing is done once the owner is freed.
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
