import Playback

/// Decides how time passes: by the first live output that works, else by the system's clock.
struct Pacer {
    /// An output that has not moved for so long no longer sets the pace.
    private static let patience: Int64 = 1_500_000_000
    /// An output that has not been looked at for so long may have stopped.
    private static let longestRest: Int64 = 250_000_000

    private var lastTime = Monotonic.now
    private var restarted = Monotonic.now
    private var stalledAt: Int64 = 0
    private var stalledSince = Monotonic.now

    /// Starts anew after a hold, so that the hold doesn't count.
    mutating func restart() {
        restarted = Monotonic.now
        (lastTime, stalledSince) = (restarted, restarted)
    }

    /// How far has been heard by now.
    mutating func heard(_ timeline: Timeline, outputs: [OutputThread]) -> Int64 {
        let now = Monotonic.now
        defer { lastTime = now }
        if timeline.heard != stalledAt || timeline.lead == 0 { (stalledAt, stalledSince) = (timeline.heard, now) }
        let isStalled = now - stalledSince > Self.patience
        for output in outputs where output.isLive && !isStalled {
            let report = output.report
            guard report.isEnabled, report.problem == nil else { continue }
            if let playedTo = report.playedTo {
                // Outputs look at their devices now and then; between that time goes on.
                return playedTo + max(0, min(now - max(report.playedAt, restarted), Self.longestRest))
            }
            if report.waitingSince.map({ now - $0 < Self.patience }) ?? false { return timeline.heard }
        }
        return timeline.heard + now - lastTime
    }

    /// How far the slowest output has come, when none goes by a clock.
    static func taken(_ timeline: Timeline, outputs: [OutputThread]) -> Int64 {
        let reports = outputs.map(\.report).filter { $0.isEnabled && $0.problem == nil }
        return reports.map { $0.queued == 0 ? timeline.produced : $0.takenTo }.min() ?? timeline.produced
    }
}

/// Hearing: what the outputs have played, and what follows from that.
extension EngineCore {
    /// Finds out how far has been heard and tells what came to pass.
    func hear() {
        guard !isPaused, current != nil else { return }
        let place =
            pacing == .fast ? Pacer.taken(timeline, outputs: outputs) : pacer.heard(timeline, outputs: outputs)
        // An end must be told after the last full count of what was heard, so the count comes first.
        let before = timeline.playing?.play
        let marks = timeline.advance(to: place)
        while let first = recent.first, first.end <= timeline.heard { recent.removeFirst() }
        let due = pacing == .fast ? Int64.max : timeline.heard
        for output in outputs { output.setDue(due) }
        for mark in marks { tell(mark, before: before) }
        tellProgressNowAndThen()
    }

    private func tell(_ mark: Timeline.Mark, before: UInt64?) {
        switch mark {
        case .started(let play):
            if let before, before != play { tellProgress(of: before) }
            placeholder = nil
            lastProgress = timeline.heard
            discard(outgoing)
            outgoing = nil
            emit(.started(play: play))
            timeline.forget(allBut: [play])
        case .finished(let play):
            tellProgress(of: play)
            finish()
            emit(.finished(play: play))
        case .failed(let play, let message):
            tellProgress(of: play)
            failCurrent(play, message)
        }
    }

    /// The last sample was heard.
    private func finish() {
        (isAtEnd, placeholder) = (false, nil)
        discard(current)
        discard(outgoing)
        discard(next)
        (current, outgoing, next, fade) = (nil, nil, nil, nil)
        display.withLock { $0.progress = nil }
    }

    // MARK: Progress

    private static let progressInterval: Int64 = 1_000_000_000

    private func tellProgressNowAndThen() {
        guard timeline.heard - lastProgress >= Self.progressInterval else { return }
        tellProgress()
    }

    /// Tells how far the track that is heard has come.
    func tellProgress() {
        lastProgress = timeline.heard
        guard let playing = timeline.playing, !timeline.awaitsStart(of: playing.play) else { return }
        emitProgress(playing.play, playing.position)
    }

    /// Tells how far a track came that has just been heard to its end.
    private func tellProgress(of play: UInt64) {
        let heard = timeline.heard(of: play)
        guard heard > 0 else { return }
        let deck = [outgoing, current].compactMap(\.self).first { $0.track.play == play }
        emitProgress(play, deck?.place ?? heard)
    }

    private func emitProgress(_ play: UInt64, _ position: Int64) {
        emit(.progress(play: play, elapsed: .nanoseconds(position), heard: .nanoseconds(timeline.heard(of: play))))
    }

    /// Shows others where the track is.
    func show() {
        var shown = placeholder
        if let playing = timeline.playing, current != nil, !timeline.awaitsStart(of: playing.play) {
            shown = EngineProgress(
                play: playing.play, elapsed: .nanoseconds(playing.position),
                heard: .nanoseconds(timeline.heard(of: playing.play)))
        }
        let goesOn = shown != nil && placeholder != shown && !isPaused && pacing == .realTime
        let lasts = goesOn ? min(timeline.lead, timeline.nextMark ?? .max) : 0
        display.withLock { $0 = EngineDisplay(progress: shown, since: Monotonic.now, lasts: lasts) }
    }
}
