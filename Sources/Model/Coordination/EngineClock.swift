/// The time that sound and what follows from it go by: the system's, or one that a test moves. What waits for a device,
/// the network or a disk goes by the system's own time.
/// - Isolation: any thread.
package protocol EngineClock: Sendable {
    /// The time since some fixed moment; it never goes back.
    var now: Nanoseconds { get }

    /// True if time stands still until decoders, whose bytes may come from the network, have done what they can.
    func standsStillForDecoders(isNetwork: Bool) -> Bool

    /// Runs `body` on a new thread that waits by this clock alone; false where there is no such thread.
    func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool

    /// Takes note that the calling thread waits until a moment; `wake` has it look whether its wait is over.
    /// - Returns: nil where the system's conditions know the clock.
    func beginWait(until moment: Nanoseconds, wake: @escaping @Sendable () -> Void) -> (any ClockWait)?
}

/// A thread's wait for a moment of a clock that a test moves.
package protocol ClockWait: AnyObject, Sendable {
    /// True if the wait is over, as its moment has come or `interrupt` was called.
    var isOver: Bool { get }
    /// True if it is over because its moment has come.
    var hasCome: Bool { get }
    /// Ends the wait before its moment: there is something for the thread to do.
    func interrupt()
}

/// The system's monotonic clock, which stands still while the machine sleeps.
package struct MonotonicClock: EngineClock {
    /// Gives the clock; all are one.
    package init() {}

    /// The time since some fixed moment.
    package var now: Nanoseconds { Monotonic.now }

    /// It never stands still.
    package func standsStillForDecoders(isNetwork: Bool) -> Bool { false }

    /// Runs `body` on a new thread.
    package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        BlockingThread.start(name, body)
    }

    /// Conditions wait for its moments.
    package func beginWait(until moment: Nanoseconds, wake: @escaping @Sendable () -> Void) -> (any ClockWait)? { nil }
}

extension EngineClock where Self == MonotonicClock {
    /// The system's monotonic clock.
    package static var monotonic: MonotonicClock { MonotonicClock() }
}
