import AudioOutputs
import Coordination

/// Decides how time passes: by the first live output that works, else by the engine's clock.
struct Pacer {
    /// An output that has not moved for so long no longer sets the pace.
    private static let patience: Nanoseconds = .milliseconds(1500)
    /// Some devices begin, then pause for two seconds before they go on.
    private static let patienceAtStart: Nanoseconds = .milliseconds(3500)
    /// An output that has not begun to play what it has for so long won't.
    private static let longestStart: Nanoseconds = .seconds(6)
    /// An output that has not been looked at for so long may have stopped.
    private static let longestRest: Nanoseconds = .milliseconds(250)
    /// Others don't wait longer than this for an output that lags behind them, or stands still after it has played
    /// steadily for a while.
    private static let longestGap: Nanoseconds = .milliseconds(150)
    private static let steady: Nanoseconds = .seconds(1)

    private var lastTime: Nanoseconds
    private var restarted: Nanoseconds
    /// When there was nothing to play last.
    private var lastDry: Nanoseconds

    /// Begins at a moment on the engine's clock.
    init(at now: Nanoseconds) { (lastTime, restarted, lastDry) = (now, now, now) }

    /// Starts anew after a hold, so that the hold doesn't count.
    mutating func restart(at now: Nanoseconds) { (restarted, lastTime) = (now, now) }

    /// How far has been heard by now.
    mutating func heard(_ timeline: Timeline, outputs: OutputSet, at now: Nanoseconds) -> Nanoseconds {
        defer { lastTime = now }
        if timeline.lead == .zero { lastDry = now }
        // The other outputs have gone on since the last time, which may be a third of a second ago.
        let expected = min(timeline.produced, timeline.heard + max(.zero, now - max(lastTime, restarted, lastDry)))
        for output in outputs.threads where output.isLive {
            let report = output.report
            guard report.plays else { continue }
            if let playedTo = report.playedTo {
                let patience = report.movedAt - report.begunAt < Self.patience ? Self.patienceAtStart : Self.patience
                guard now - max(report.movedAt, restarted, lastDry) < patience else {
                    output.stall()
                    continue
                }
                // Outputs look at their devices now and then; between that time goes on.
                let place = playedTo + max(.zero, min(now - max(report.playedAt, restarted), Self.longestRest))
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

    private static func plays(_ output: OutputThread) -> Bool { output.report.plays }
}
