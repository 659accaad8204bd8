import Glibc
import Synchronization

/// The budget that the regular expressions of one query share. A pattern may take milliseconds for a single value;
/// without a bound for the whole query a library of such values would keep a thread busy for hours.
/// - Isolation: any.
final class MatchingBudget: Sendable {
    static let time = Duration.seconds(2)
    /// How many values may be given up because they take too many steps.
    static let maxValuesGivenUp = 20
    /// How many nanoseconds count for one value. It takes too many steps before; more is the time in which the thread
    /// waited for a processor, or the machine stood still.
    private static let maxForOneValue: UInt64 = 100_000_000

    private struct Spent {
        var nanoseconds: UInt64 = 0
        var valuesGivenUp = 0
    }

    private let spent = Mutex(Spent())
    private let allowance: UInt64

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

    /// Counts the comparison with one value, or a few quick ones, which began at `start`.
    /// - Throws: `LibraryError.badExpression` when the budget is spent; `CancellationError` in a cancelled task.
    func charge(since start: UInt64, until end: UInt64 = MatchingBudget.now(), gaveUp: Bool) throws {
        let isSpent = spent.withLock { spent in
            spent.nanoseconds &+= min(end &- start, Self.maxForOneValue)
            if gaveUp { spent.valuesGivenUp += 1 }
            return spent.nanoseconds > allowance || spent.valuesGivenUp >= Self.maxValuesGivenUp
        }
        if isSpent { throw LibraryError(.badExpression, "The regular expression takes too long; make it simpler") }
        try Task.checkCancellation()
    }
}

/// Counts values that are compared in turn: one by one, and eight at a time as long as they are quick, since asking for
/// the time takes as long as comparing most of them. Eight values on which a pattern is given up take less than what
/// counts for one at most.
struct MatchingPace {
    private static let group = 8
    /// The nanoseconds that are quick, for one value or for eight.
    private static let quick: UInt64 = 100_000

    private let budget: MatchingBudget
    private var start = MatchingBudget.now()
    /// How many values are left of the group.
    private var left = 1

    /// Begins to count; the first value's time begins now.
    init(_ budget: MatchingBudget) { self.budget = budget }

    /// Counts a value.
    /// - Throws: as the budget's `charge`.
    mutating func charge(gaveUp: Bool) throws {
        left -= 1
        guard left == 0 || gaveUp else { return }
        let now = MatchingBudget.now()
        try budget.charge(since: start, until: now, gaveUp: gaveUp)
        left = now &- start < Self.quick ? Self.group : 1
        start = now
    }
}
