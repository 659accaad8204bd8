import Glibc
import Synchronization

/// The budget that the regular expressions of one query share.
///
/// A pattern may take milliseconds for a single value; without a bound for the whole query a library of such values
/// would keep a thread busy for hours.
/// - Isolation: any.
final class MatchingBudget: Sendable {
    /// How long matching may take altogether.
    static let time = Duration.seconds(2)
    /// How many values may be given up because they take too many steps.
    static let mostValuesGivenUp = 20
    /// How many nanoseconds count for one value. It takes too many steps before; more is the time in which the thread
    /// waited for a processor, or the machine stood still.
    private static let mostForOneValue: UInt64 = 100_000_000

    private struct Spent {
        var nanoseconds: UInt64 = 0
        var valuesGivenUp = 0
    }

    private let spent = Mutex(Spent())
    private let allowance: UInt64

    /// Makes a budget of which nothing is spent.
    init(time: Duration = MatchingBudget.time) {
        allowance =
            UInt64(clamping: time.components.seconds) * 1_000_000_000
            + UInt64(clamping: time.components.attoseconds / 1_000_000_000)
    }

    /// The time of a clock that only runs forward, in nanoseconds.
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// Counts the comparison with one value, which began at `start`.
    ///
    /// - Throws: `LibraryError.badExpression` when the budget is spent; `CancellationError` in a cancelled task.
    func charge(since start: UInt64, gaveUp: Bool) throws {
        let isSpent = spent.withLock { spent in
            spent.nanoseconds &+= min(Self.now() &- start, Self.mostForOneValue)
            if gaveUp { spent.valuesGivenUp += 1 }
            return spent.nanoseconds > allowance || spent.valuesGivenUp >= Self.mostValuesGivenUp
        }
        if isSpent { throw LibraryError(.badExpression, "The regular expression takes too long; make it simpler") }
        try Task.checkCancellation()
    }
}
