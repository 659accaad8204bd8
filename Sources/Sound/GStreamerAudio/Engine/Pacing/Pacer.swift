import Coordination

/// Decides how time passes: by the first live output that works, else by the system's clock.
struct Pacer {
    /// An output that has not moved for so long no longer sets the pace.
    private static let patience: Int64 = 1_500_000_000
    /// Some devices begin, then pause for two seconds before they go on.
    private static let patienceAtStart: Int64 = 3_500_000_000
    /// An output that has not begun to play what it has for so long won't.
    private static let longestStart: Int64 = 6_000_000_000
    /// An output that has not been looked at for so long may have stopped.
    private static let longestRest: Int64 = 250_000_000
    /// Others don't wait longer than this for an output that lags behind them, or stands still after it has played
    /// steadily for a while.
    private static let longestGap: Int64 = 150_000_000
    private static let steady: Int64 = 1_000_000_000

    private var lastTime: Int64
    private var restarted: Int64
    /// When there was nothing to play last.
    private var lastDry: Int64

    /// Begins at a moment on the monotonic clock.
    init(at now: Int64 = Monotonic.now) { (lastTime, restarted, lastDry) = (now, now, now) }

    /// Starts anew after a hold, so that the hold doesn't count.
    mutating func restart() {
        restarted = Monotonic.now
        lastTime = restarted
    }

    /// How far has been heard by now.
    mutating func heard(_ timeline: Timeline, outputs: OutputSet, at now: Int64 = Monotonic.now) -> Int64 {
        defer { lastTime = now }
        if timeline.lead == 0 { lastDry = now }
        // The other outputs have gone on since the last time, which may be a third of a second ago.
        let expected = min(timeline.produced, timeline.heard + max(0, now - max(lastTime, restarted, lastDry)))
        for output in outputs.threads where output.isLive {
            let report = output.report
            guard report.isEnabled, report.problem == nil else { continue }
            if let playedTo = report.playedTo {
                let patience = report.movedAt - report.begunAt < Self.patience ? Self.patienceAtStart : Self.patience
                guard now - max(report.movedAt, restarted, lastDry) < patience else {
                    output.stall()
                    continue
                }
                // Outputs look at their devices now and then; between that time goes on.
                let place = playedTo + max(0, min(now - max(report.playedAt, restarted), Self.longestRest))
                let rest = now - max(report.movedAt, restarted, lastDry)
                // In the beginning all wait for devices that pause once more; one that comes back later is not.
                let isSteady =
                    report.movedAt - max(report.begunAt, restarted) > Self.steady
                    || now - max(restarted, lastDry) > Self.patienceAtStart
                let isLate = isSteady && rest >= Self.longestGap || place < expected - Self.longestGap
                guard isLate, outputs.threads.contains(where: { $0 !== output && Self.plays($0) }) else { return place }
                if rest < Self.longestGap { output.catchUp(expected - place) }
                return timeline.heard + now - lastTime
            }
            guard let since = report.waitingSince else { continue }
            if now - since < Self.patience { return timeline.heard }
            if now - max(since, restarted) > Self.longestStart { output.stall() }
        }
        return timeline.heard + now - lastTime
    }

    private static func plays(_ output: OutputThread) -> Bool {
        let report = output.report
        return report.isEnabled && report.problem == nil
    }
}
