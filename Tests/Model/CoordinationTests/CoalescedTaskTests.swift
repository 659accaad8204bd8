import Coordination
import Synchronization
import TestSupport
import Testing

@Suite("Work that is done once for many")
struct CoalescedTaskTests {
    /// What the work is for, and counts it.
    private final class Owner: Sendable {
        let done = Atomic(0)
        let clock = VirtualClock()
        let task: CoalescedTask
        /// Rings when the work was done.
        let alarm = Alarm()

        init() { task = CoalescedTask(clock: clock) }

        func plan(after delay: Duration) {
            task.plan(after: delay, for: self) { owner in
                owner.done.add(1, ordering: .relaxed)
                owner.alarm.ring()
            }
        }
    }

    @Test("waits for its delay, and is done once however often it was asked for")
    func once() async throws {
        let owner = Owner()
        for _ in 0..<1000 { owner.plan(after: .seconds(300)) }
        try await eventually("the pause") { owner.clock.sleeperCount == 1 }
        owner.clock.pass(.seconds(299))
        #expect(owner.done.load(ordering: .relaxed) == 0)
        #expect(try await owner.clock.passPause() == .seconds(1))
        await owner.alarm.wait()
        #expect(owner.done.load(ordering: .relaxed) == 1)
    }

    @Test("is done again when it is asked for after it was done")
    func again() async {
        let owner = Owner()
        for _ in 0..<2 {
            owner.plan(after: .zero)
            await owner.alarm.wait()
        }
        #expect(owner.done.load(ordering: .relaxed) == 2)
    }

    @Test("is done again when it is asked for while it runs")
    func meanwhile() async {
        let (task, owner) = (CoalescedTask(), Owner())
        let first = Alarm()
        task.plan(after: .zero, for: owner) { owner in
            task.plan(after: .zero, for: owner) { $0.alarm.ring() }
            await owner.alarm.wait()
            first.ring()
        }
        await first.wait()
    }

    @Test("does nothing for one that is gone, and keeps none alive")
    func gone() async throws {
        let clock = VirtualClock()
        let task = CoalescedTask(clock: clock)
        let isDone = Atomic(false)
        weak var gone: Owner?
        do {
            let owner = Owner()
            gone = owner
            task.plan(after: .seconds(20), for: owner) { _ in isDone.store(true, ordering: .relaxed) }
        }
        #expect(gone == nil)
        try await clock.passPause()
        // The plan of before is over once another one is taken.
        let next = Owner()
        let isTaken = await eventually {
            task.plan(after: .zero, for: next) { $0.done.add(1, ordering: .relaxed) }
            return next.done.load(ordering: .relaxed) > 0
        }
        #expect(isTaken && !isDone.load(ordering: .relaxed))
    }
}
