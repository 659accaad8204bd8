import Glibc

/// State behind a lock that threads can wait on.
///
/// `@unchecked Sendable` because `state` is touched only while the mutex is held, and the pthread objects live in
/// memory of their own from init to deinit.
final class Monitor<State>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Reads or changes the state without waking anyone.
    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Changes the state and wakes every waiting thread.
    func update<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// Waits until `body` gives a value, asking it at once and after each update; nil after `milliseconds`.
    ///
    /// - Isolation: blocks the calling thread; never call it on an executor's thread.
    func wait<Result>(milliseconds: Int, _ body: (inout State) -> Result?) -> Result? {
        wait(milliseconds: milliseconds) { state, _ in body(&state) }
    }

    /// The same; `body` can also name a moment on the monotonic clock at which it wants to be asked again.
    func wait<Result>(milliseconds: Int, _ body: (inout State, inout Int64) -> Result?) -> Result? {
        let end = Monotonic.now + Int64(milliseconds) * 1_000_000
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            var again = end
            if let result = body(&state, &again) { return result }
            let moment = min(again, end)
            var deadline = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
            guard pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT, moment == end else { continue }
            return body(&state, &again)
        }
    }
}

/// Messages for one thread, taken in the order in which they were posted.
final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let waiting = Monitor(State())

    /// Adds a message and wakes the reader.
    ///
    /// - Returns: whether it is going to be taken; after `close` none is.
    @discardableResult
    func post(_ message: Message) -> Bool {
        waiting.update { state in
            guard !state.isClosed else { return false }
            state.messages.append(message)
            return true
        }
    }

    /// Takes all messages; waits up to `milliseconds` for the first.
    func take(waitingMilliseconds milliseconds: Int) -> [Message] {
        waiting.wait(milliseconds: milliseconds) { state in
            guard !state.messages.isEmpty else { return nil }
            defer { state.messages = [] }
            return state.messages
        } ?? []
    }

    /// Takes no more messages; gives those that were not taken.
    func close() -> [Message] {
        waiting.update { state in
            defer { state = State(isClosed: true) }
            return state.messages
        }
    }
}

/// The monotonic clock.
enum Monotonic {
    /// Nanoseconds since some fixed moment.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Duration {
    /// The whole duration in nanoseconds, kept within what 64 bits hold.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds.magnitude < 9_000_000_000 else { return seconds < 0 ? .min : .max }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
