import AudioOutputs
import Coordination

/// Decides how time passes: by the first live output that works, else by the engine's clock.
struct Pacer {
    /// An output that has not moved for longer no longer sets the pace.
    private static let patience: Nanoseconds = .milliseconds(1500)
    /// Some devices begin, then pause for two seconds before they continue.
    private static let patienceAtStart: Nanoseconds = .milliseconds(3500)
    /// An output that has not begun to play what it has for longer won't.
    private static let maxStart: Nanoseconds = .seconds(6)
    /// An output that has not been looked at for longer may have stopped.
    private static let maxRest: Nanoseconds = .milliseconds(250)
    /// Others don't wait longer than this for an output that lags behind them, or stands still after it has played
    /// steadily for a while.
    private static let maxGap: Nanoseconds = .milliseconds(150)
    private static let steady: Nanoseconds = .seconds(1)

    private var lastTime: Nanoseconds
    private var restarted: Nanoseconds
    /// When there was nothing to play last.
    private var lastDry: Nanoseconds

    /// Begins at a moment on the engine's clock.
    init(at now: Nanoseconds) { (lastTime, restarted, lastDry) = (now, now, now) }

    /// Starts over after a hold, so that the hold doesn't count.
    mutating func restart(at now: Nanoseconds) { (restarted, lastTime) = (now, now) }

    /// How far the sound has been heard, and what outputs are to do for it to continue.
    struct Pace: Equatable {
        var heard: Nanoseconds
        var orders: [Order] = []
    }

    /// For one of the outputs, by its index.
    enum Order: Equatable {
        /// It plays nothing of what it has: the others continue without it.
        case stall(Int)
        /// It leaves out what it would play later than the others.
        case catchUp(Int, lag: Nanoseconds)
    }

    /// Decides how far has been heard by now.
    ///
    /// - Parameter outputs: the report of each output.
    mutating func pace(_ timeline: Timeline, _ outputs: [OutputThread.Report], at now: Nanoseconds) -> Pace {
        defer { lastTime = now }
        if timeline.lead == .zero { lastDry = now }
        // The other outputs have continued since the last time, which may be a third of a second ago.
        let expected = min(timeline.produced, timeline.heard + max(.zero, now - max(lastTime, restarted, lastDry)))
        var orders: [Order] = []
        for (index, report) in outputs.enumerated() where report.isLive && report.plays {
            guard let playedTo = report.playedTo else {
                guard let since = report.waitingSince else { continue }
                if now - since < Self.patience { return Pace(heard: timeline.heard, orders: orders) }
                if now - max(since, restarted) > Self.maxStart { orders.append(.stall(index)) }
                continue
            }
            let rest = now - max(report.movedAt, restarted, lastDry)
            guard rest < (hasBegun(report) ? Self.patience : Self.patienceAtStart) else {
                orders.append(.stall(index))
                continue
            }
            let place = place(of: report, from: playedTo, at: now)
            let isLate = isSteady(report, at: now) && rest >= Self.maxGap || place < expected - Self.maxGap
            let others = outputs.indices.filter { $0 != index && !orders.contains(.stall($0)) }
            guard isLate, others.contains(where: { outputs[$0].plays }) else {
                return Pace(heard: place, orders: orders)
            }
            if rest < Self.maxGap { orders.append(.catchUp(index, lag: expected - place)) }
            break
        }
        return Pace(heard: timeline.heard + now - lastTime, orders: orders)
    }

    /// How far a device has come that was at `playedTo` when its output looked last.
    ///
    /// Between two looks time passes, but a device plays no further than its output has given it sound: a thread that
    /// comes late has blocks that are still to be heard.
    private func place(of report: OutputThread.Report, from playedTo: Nanoseconds, at now: Nanoseconds) -> Nanoseconds {
        let place = playedTo + max(.zero, min(now - max(report.playedAt, restarted), Self.maxRest))
        return report.queued == .zero ? place : min(place, max(playedTo, report.takenTo))
    }

    private func hasBegun(_ report: OutputThread.Report) -> Bool { report.movedAt - report.begunAt >= Self.patience }

    /// In the beginning all wait for devices that pause again; one that comes back later is not.
    private func isSteady(_ report: OutputThread.Report, at now: Nanoseconds) -> Bool {
        report.movedAt - max(report.begunAt, restarted) > Self.steady
            || now - max(restarted, lastDry) > Self.patienceAtStart
    }
}
