import Glibc

/// State behind a lock that threads can wait on, until it is as they want it or a time has passed; tasks wait for an
/// `Alarm`. Safe to share, as `state` is touched only while the lock is held; inlinable, as it locks on the way of the
/// sound.
package final class Monitor<State>: @unchecked Sendable {
    @usableFromInline let condition: ThreadCondition
    @usableFromInline var state: State
    /// The threads that wait by a clock that a test moves.
    @usableFromInline var waits: [any ClockWait] = []

    /// Puts state behind a lock.
    package init(_ state: State) {
        self.state = state
        condition = ThreadCondition()
    }

    deinit { condition.destroy() }

    /// Reads or changes the state without waking the threads that wait.
    @inlinable package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body(&state)
    }

    /// Changes the state and wakes every waiting thread.
    @inlinable package func update<Result>(_ body: (inout State) -> Result) -> Result {
        condition.lock()
        defer {
            if !waits.isEmpty { interruptWaits() }
            condition.broadcast()
            condition.unlock()
        }
        return body(&state)
    }

    /// Threads count as at work as soon as there is something for them to do, and not only once they run.
    @usableFromInline
    func interruptWaits() { for wait in waits { wait.interrupt() } }

    /// Waits until `body` gives a value, asking it at once and after each update; nil after `milliseconds`.
    /// - Isolation: blocks the calling thread; never call it on an executor's thread.
    @inlinable package func wait<Result>(
        milliseconds: Int, by clock: any EngineClock = .monotonic, _ body: (inout State) -> Result?
    ) -> Result? { wait(milliseconds: milliseconds, by: clock) { state, _ in body(&state) } }

    /// Waits likewise; `body` can also name a moment on the clock at which it wants to be asked again.
    @inlinable package func wait<Result>(
        milliseconds: Int, by clock: any EngineClock = .monotonic,
        _ body: (inout State, inout Nanoseconds) -> Result?
    ) -> Result? {
        let end = clock.now + .milliseconds(milliseconds)
        condition.lock()
        defer { condition.unlock() }
        while true {
            var again = end
            if let result = body(&state, &again) { return result }
            let moment = min(again, end)
            guard !rest(until: moment, by: clock), moment == end else { continue }
            return body(&state, &again)
        }
    }

    /// Lets others have the lock until the next update, a moment, or for no reason; false when it is the moment.
    @usableFromInline
    func rest(until moment: Nanoseconds, by clock: any EngineClock) -> Bool {
        // The system's objects live as long as this does.
        let owner: any Sendable = self
        let wake = { @Sendable [condition] in
            condition.lock()
            condition.broadcast()
            condition.unlock()
            withExtendedLifetime(owner) {}
        }
        guard let wait = clock.beginWait(until: moment, wake: wake) else { return condition.wait(until: moment) }
        waits.append(wait)
        while !wait.isOver { condition.wait() }
        waits.removeAll { $0 === wait }
        return !wait.hasCome
    }
}

/// A mutex of the system, and a condition on the monotonic clock. `@unchecked Sendable` because the system's objects
/// lie in memory of their own until `destroy`, and are made for threads.
@usableFromInline
struct ThreadCondition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    func destroy() {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    @usableFromInline
    func lock() { pthread_mutex_lock(mutex) }

    @usableFromInline
    func unlock() { pthread_mutex_unlock(mutex) }

    @usableFromInline
    func broadcast() { pthread_cond_broadcast(condition) }

    func wait() { pthread_cond_wait(condition, mutex) }

    /// Lets others have the lock until the next broadcast, a moment, or for no reason; false when it is the moment.
    @usableFromInline
    func wait(until moment: Nanoseconds) -> Bool {
        let (seconds, rest) = max(0, moment.count).quotientAndRemainder(dividingBy: 1_000_000_000)
        var deadline = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        return pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
    }
}

/// The monotonic clock, which stands still while the machine sleeps and continues whatever the time of day is set to.
package enum Monotonic {
    /// The time since some fixed moment.
    package static var now: Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + Nanoseconds(count: Int64(time.tv_nsec))
    }
}
