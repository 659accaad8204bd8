package import Coordination
import Glibc
import Testing

/// A clock that stands still while threads work and goes on, from one moment that some thread waits for to the next,
/// only where a test says so.
///
/// Of several threads whose moment has come one goes on at a time, in the order in which they began to wait; so a test
/// sees the same each time, however busy the machine is.
/// - Isolation: any thread.
package final class VirtualEngineClock: EngineClock {
    /// A thread's wait.
    private final class Wait: ClockWait {
        let moment: Nanoseconds
        let wake: @Sendable () -> Void
        /// Whether it is one of the clock's own threads.
        let isOwn: Bool
        private let clock: VirtualEngineClock
        private let end = Monitor<End?>(nil)

        enum End { case moment, news }

        init(_ moment: Nanoseconds, _ clock: VirtualEngineClock, isOwn: Bool, wake: @escaping @Sendable () -> Void) {
            (self.moment, self.clock, self.isOwn, self.wake) = (moment, clock, isOwn, wake)
        }

        var isOver: Bool { end.withLock { $0 != nil } }
        var hasCome: Bool { end.withLock { $0 == .moment } }

        /// Ends it; false if it was over before.
        func finish(_ how: End) -> Bool {
            end.withLock { end in
                guard end == nil else { return false }
                end = how
                return true
            }
        }

        func interrupt() { clock.interrupt(self) }
    }

    private struct State {
        var now = Nanoseconds.seconds(1000)
        /// The threads that wait by this clock alone.
        var threads: Set<pthread_t> = []
        /// How many of them do something, or were woken for it.
        var working = 0
        var standsStillForStreams = true
        /// In the order in which they began.
        var waits: [Wait] = []

        /// The wait that ends next.
        var first: Wait? { waits.min { $0.moment < $1.moment } }
    }

    private let state = Monitor(State())

    package init() {}

    package var now: Nanoseconds { state.withLock { $0.now } }

    /// Whether time stands still until streams have all the sound that they can hold; not where a server is silent.
    package var standsStillForStreams: Bool {
        get { state.withLock { $0.standsStillForStreams } }
        set { state.withLock { $0.standsStillForStreams = newValue } }
    }

    package func standsStillForDecoders(isNetwork: Bool) -> Bool { !isNetwork || standsStillForStreams }

    package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { $0.working += 1 }
        let isStarted = BlockingThread.start(name) { [self] in
            state.withLock { _ = $0.threads.insert(pthread_self()) }
            body()
            state.update { state in
                state.threads.remove(pthread_self())
                state.working -= 1
            }
        }
        if !isStarted { state.update { $0.working -= 1 } }
        return isStarted
    }

    package func beginWait(until moment: Nanoseconds, wake: @escaping @Sendable () -> Void) -> (any ClockWait)? {
        state.update { state in
            let isOwn = state.threads.contains(pthread_self())
            let wait = Wait(moment, self, isOwn: isOwn, wake: wake)
            if moment <= state.now, wait.finish(.moment) { return wait }
            if isOwn { state.working -= 1 }
            state.waits.append(wait)
            return wait
        }
    }

    private func interrupt(_ wait: Wait) {
        state.withLock { state in
            guard wait.finish(.news) else { return }
            state.waits.removeAll { $0 === wait }
            if wait.isOwn { state.working += 1 }
        }
    }

    /// Lets the calling thread, one of the clock's own, rest for a while.
    package func sleep(for length: Duration) {
        let end = now + Nanoseconds(length)
        _ = Monitor(()).wait(milliseconds: .max, by: self) { [self] _, again -> Bool? in
            again = end
            return now >= end ? true : nil
        }
    }

    // MARK: For the test's own thread

    /// Waits until all threads wait; false if that takes more than a minute of the system's time.
    ///
    /// - Isolation: blocks the calling thread.
    private func comeToRest() -> Bool {
        state.wait(milliseconds: 60_000) { $0.working == 0 ? true : nil } ?? false
    }

    /// Goes on to the next moment that some thread waits for, and wakes that thread; or to `end` where that is sooner.
    ///
    /// - Returns: whether there may be more to do until then.
    private func step(until end: Nanoseconds) -> Bool {
        let (due, goesOn) = state.withLock { state -> (Wait?, Bool) in
            guard state.working == 0 else { return (nil, true) }
            guard let first = state.first, first.moment <= end else {
                state.now = max(state.now, end)
                return (nil, false)
            }
            state.now = max(state.now, first.moment)
            state.waits.removeAll { $0 === first }
            if first.finish(.moment), first.isOwn { state.working += 1 }
            return (first, true)
        }
        due?.wake()
        return goesOn
    }

    /// Lets time go on until a condition holds, which is asked whenever all threads wait, or until `limit` has passed.
    ///
    /// - Parameter atRest: called whenever all threads wait, before the condition is asked.
    /// - Returns: whether it holds.
    /// - Isolation: blocks the calling thread.
    private func run(for limit: Nanoseconds, atRest: () -> Void, until condition: () -> Bool) -> Bool {
        let end = now + limit
        while comeToRest() {
            atRest()
            if condition() { return true }
            guard step(until: end) else { return condition() }
        }
        Issue.record("threads of the virtual clock don't come to rest")
        return condition()
    }

    /// Lets time go on until a condition holds, or for as long as is said.
    ///
    /// - Parameter atRest: called whenever all threads wait, before the condition is asked.
    package func eventually(
        within limit: Duration = .seconds(600), atRest: @escaping @Sendable () -> Void = {},
        _ condition: @escaping () -> Bool
    ) async -> Bool {
        // The test waits meanwhile, so nothing else touches what the condition reads.
        nonisolated(unsafe) let condition = condition
        return await withCheckedContinuation { outcome in
            let isStarted = BlockingThread.start("virtual time") { [self] in
                outcome.resume(returning: run(for: Nanoseconds(limit), atRest: atRest, until: condition))
            }
            if !isStarted { outcome.resume(returning: false) }
        }
    }

    /// Lets so much time pass.
    package func pass(_ length: Duration) async { _ = await eventually(within: length) { false } }
}
