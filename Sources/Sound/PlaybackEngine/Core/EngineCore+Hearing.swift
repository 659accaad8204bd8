import Coordination
import Playback

extension EngineCore {
    /// Lets the music take its time, or none, as the outputs that play want it.
    func choosePace() {
        guard hearing.mustChangePace(for: outputs) else { return }
        hear(goesOn: false)
        hearing.changePace()
    }

    /// Finds out how far has been heard and tells what came to pass.
    func hear(goesOn: Bool = true) {
        guard !isPaused || fading.goal != nil, current != nil else { return }
        let (marks, orders) = hearing.advance(&timeline, outputs: outputs, until: fading.end)
        outputs.carryOut(orders)
        outputs.forget(heard: timeline.heard)
        let limit = min(timeline.produced, fading.end)
        outputs.setDue(heard: hearing.due(timeline), limit: goesOn ? limit : timeline.heard)
        // For the player it has stopped.
        if fading.goal == .stop { return }
        for mark in marks { tell(mark) }
        if !marks.isEmpty { hearing.forgetOthers(&timeline) }
        if let progress = hearing.progressNowAndThen(timeline) { emit(progress) }
    }

    private func tell(_ mark: Timeline.Mark) {
        switch mark {
        case .started(let play):
            // An end must be told after the last full count of what was heard, so the count comes first.
            if let before = hearing.started(play, timeline) { tellProgress(of: before) }
            discard(songs.confirmJoin())
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

    private func finish() {
        hearing.expectNothing()
        songs.removeAll().forEach(discard)
        showNothing()
    }

    func tellProgress() { if let progress = hearing.progress(timeline) { emit(progress) } }

    /// Tells how far a track came that has just been heard to its end.
    private func tellProgress(of play: UInt64) {
        let heard = timeline.heard(of: play)
        guard heard > .zero else { return }
        let deck = [outgoing, current].compactMap(\.self).first { $0.track.play == play }
        emit(.progress(play: play, elapsed: (deck?.place ?? heard).duration, heard: heard.duration))
    }

    private func emit(_ progress: EngineProgress) {
        emit(.progress(play: progress.play, elapsed: progress.elapsed, heard: progress.heard))
    }

    func show() {
        let shown = hearing.display(timeline, isPlaying: current != nil && fading.goal != .stop, isPaused: isPaused)
        display.withLock { $0 = shown }
    }

    func showNothing() { display.withLock { $0.progress = nil } }
}
