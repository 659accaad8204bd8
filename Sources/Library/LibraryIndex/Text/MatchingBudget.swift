import Coordination
import Synchronization

/// The budget that the regular expressions of one query share, as a pattern may take milliseconds for a single value.
final class MatchingBudget: Sendable {
    static let time = Duration.seconds(2)
    static let maxValuesGivenUp = 20
    /// The maximum that counts for one value; more is the time in which the thread waited for a processor.
    private static let maxForOneValue = Nanoseconds.milliseconds(100)

    private struct Spent {
        var time = Nanoseconds.zero
        var valuesGivenUp = 0
    }

    private let spent = Mutex(Spent())
    private let allowance: Nanoseconds
    init(time: Duration = MatchingBudget.time) { allowance = Nanoseconds(time) }

    /// Counts the comparison with one value, or a few quick ones, which began at `start`.
    /// - Throws: `LibraryError.badExpression` when the budget is spent; `CancellationError` in a cancelled task.
    func charge(since start: Nanoseconds, until end: Nanoseconds = Monotonic.now, gaveUp: Bool) throws {
        let isSpent = spent.withLock { spent in
            spent.time += min(end - start, Self.maxForOneValue)
            if gaveUp { spent.valuesGivenUp += 1 }
            return spent.time > allowance || spent.valuesGivenUp >= Self.maxValuesGivenUp
        }
        if isSpent { throw LibraryError(.badExpression, "The regular expression takes too long; make it simpler") }
        try Task.checkCancellation()
    }
}

/// Counts values in turn, eight at a time while they are quick, as asking for the time takes as long as most of them.
struct MatchingPace {
    private static let group = 8
    private static let quick = Nanoseconds.microseconds(100)

    private let budget: MatchingBudget
    private var start = Monotonic.now
    private var left = 1

    init(_ budget: MatchingBudget) { self.budget = budget }

    mutating func charge(gaveUp: Bool) throws {
        left -= 1
        guard left == 0 || gaveUp else { return }
        let now = Monotonic.now
        try budget.charge(since: start, until: now, gaveUp: gaveUp)
        left = now - start < Self.quick ? Self.group : 1
        start = now
    }
}
