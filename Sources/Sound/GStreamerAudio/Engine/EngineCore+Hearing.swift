import Outputs
import Playback

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

    private var lastTime = Monotonic.now
    private var restarted = Monotonic.now
    /// When there was nothing to play last.
    private var lastDry = Monotonic.now

    /// Starts anew after a hold, so that the hold doesn't count.
    mutating func restart() {
        restarted = Monotonic.now
        lastTime = restarted
    }

    /// How far has been heard by now.
    mutating func heard(_ timeline: Timeline, outputs: [OutputThread]) -> Int64 {
        let now = Monotonic.now
        defer { lastTime = now }
        if timeline.lead == 0 { lastDry = now }
        for output in outputs where output.isLive {
            let report = output.report
            guard report.isEnabled, report.problem == nil else { continue }
            if let playedTo = report.playedTo {
                let patience = report.movedAt - report.begunAt < Self.patience ? Self.patienceAtStart : Self.patience
                guard now - max(report.movedAt, restarted, lastDry) < patience else {
                    output.stall()
                    continue
                }
                // Outputs look at their devices now and then; between that time goes on.
                return playedTo + max(0, min(now - max(report.playedAt, restarted), Self.longestRest))
            }
            guard let since = report.waitingSince else { continue }
            if now - since < Self.patience { return timeline.heard }
            if now - max(since, restarted) > Self.longestStart { output.stall() }
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
    /// Lets the music take its time, unless all that plays is recorded or thrown away as fast as that goes.
    func choosePace() {
        guard pacing == .realTime, isUnpaced || outputs.contains(where: \.specification.takesNoTime) else { return }
        let playing = outputs.filter(\.report.isEnabled).map(\.specification)
        let isUnpaced =
            playing.contains(where: \.takesNoTime) && playing.allSatisfy { $0.takesNoTime || $0.type == .file }
        guard isUnpaced != self.isUnpaced else { return }
        hear(goesOn: false)
        self.isUnpaced = isUnpaced
        pacer.restart()
    }

    /// Finds out how far has been heard and tells what came to pass.
    ///
    /// - Parameter goesOn: whether outputs may write what is heard next as well.
    func hear(goesOn: Bool = true) {
        guard !isPaused, current != nil else { return }
        let place = isUnpaced ? Pacer.taken(timeline, outputs: outputs) : pacer.heard(timeline, outputs: outputs)
        let marks = timeline.advance(to: place)
        while let first = recent.first, first.end <= timeline.heard { recent.removeFirst() }
        for output in outputs { setDue(output, goesOn: goesOn) }
        for mark in marks { tell(mark) }
        if let lastStarted, !marks.isEmpty { timeline.forget(allBut: [lastStarted]) }
        tellProgressNowAndThen()
    }

    /// Says an output that goes by the clock what it may write.
    func setDue(_ output: OutputThread, goesOn: Bool = true) {
        guard !isUnpaced else { return output.setDue(.max, limit: .max) }
        output.setDue(timeline.heard, limit: goesOn ? timeline.produced : timeline.heard)
    }

    private func tell(_ mark: Timeline.Mark) {
        switch mark {
        case .started(let play):
            // An end must be told after the last full count of what was heard, so the count comes first.
            if let lastStarted, lastStarted != play { tellProgress(of: lastStarted) }
            (lastStarted, placeholder) = (play, nil)
            lastProgress = timeline.heard
            discard(outgoing)
            outgoing = nil
            emit(.started(play: play))
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
        let goesOn = shown != nil && placeholder != shown && !isPaused && !isUnpaced
        let lasts = goesOn ? min(timeline.lead, timeline.nextMark ?? .max) : 0
        display.withLock { $0 = EngineDisplay(progress: shown, since: Monotonic.now, lasts: lasts) }
    }
}
