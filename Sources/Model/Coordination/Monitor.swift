import Glibc

/// State behind a lock that threads can wait on: until it is as they want it, or a time has passed.
///
/// For threads of our own; tasks wait for an `Alarm`.
///
/// `@unchecked Sendable` because `state` is touched only while the lock is held. Inlinable, as it is made anew for each
/// kind of state, and locks on the way of the sound.
/// - Isolation: any.
package final class Monitor<State>: @unchecked Sendable {
    @usableFromInline let condition: ThreadCondition
    @usableFromInline var state: State

    /// Puts state behind a lock.
    package init(_ state: State) {
        self.state = state
        condition = ThreadCondition()
    }

    deinit { condition.destroy() }

    /// Reads or changes the state without waking the threads that wait.
    @inlinable
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body(&state)
    }

    /// Changes the state and wakes every waiting thread.
    @inlinable
    package func update<Result>(_ body: (inout State) -> Result) -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return body(&state)
    }

    /// Waits until `body` gives a value, asking it at once and after each update; nil after `milliseconds`.
    ///
    /// - Isolation: blocks the calling thread; never call it on an executor's thread.
    @inlinable
    package func wait<Result>(milliseconds: Int, _ body: (inout State) -> Result?) -> Result? {
        wait(milliseconds: milliseconds) { state, _ in body(&state) }
    }

    /// Waits likewise; `body` can also name a moment on the monotonic clock at which it wants to be asked again.
    ///
    /// - Isolation: blocks the calling thread; never call it on an executor's thread.
    @inlinable
    package func wait<Result>(milliseconds: Int, _ body: (inout State, inout Nanoseconds) -> Result?) -> Result? {
        let end = condition.end(ofMilliseconds: milliseconds)
        condition.lock()
        defer { condition.unlock() }
        while true {
            var again = end
            if let result = body(&state, &again) { return result }
            let moment = min(again, end)
            guard !condition.wait(until: moment), moment == end else { continue }
            return body(&state, &again)
        }
    }
}

/// A mutex of the system, and a condition on the monotonic clock.
///
/// `@unchecked Sendable` because the system's objects lie in memory of their own until `destroy`, and are made for
/// threads.
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

    /// Frees it; nothing may use it any more.
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

    /// The moment so many milliseconds from now, on the clock of `wait`.
    @usableFromInline
    func end(ofMilliseconds milliseconds: Int) -> Nanoseconds { Monotonic.now + .milliseconds(milliseconds) }

    /// Lets others have the lock until the next broadcast or a moment; false when it is the moment.
    ///
    /// It may also return for no reason, as conditions of the system do.
    @usableFromInline
    func wait(until moment: Nanoseconds) -> Bool {
        let (seconds, rest) = max(0, moment.count).quotientAndRemainder(dividingBy: 1_000_000_000)
        var deadline = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
        return pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
    }
}

/// The monotonic clock, which stands still while the machine sleeps and goes on whatever the time of day is set to.
package enum Monotonic {
    /// The time since some fixed moment.
    package static var now: Nanoseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + Nanoseconds(count: Int64(time.tv_nsec))
    }
}
