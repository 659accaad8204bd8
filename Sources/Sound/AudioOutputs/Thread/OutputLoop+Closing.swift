import Coordination
import Outputs

/// When a device is given back: after a while in which nothing plays, or of a pause.
extension OutputLoop {
    private var idleLimit: Nanoseconds? { driver.idleLimit ?? (output.isLive ? .seconds(5) : nil) }

    /// Nothing has played for so long that the output is to be closed. A sound device is given back even while sound is
    /// awaited; listeners and programs wait too, so for them such a time counts as use.
    func checkIdleness() -> Bool {
        guard !isPaused, !output.specification.isAlwaysOn, let limit = idleLimit else { return false }
        if !output.isLive, output.state.withLock(\.isPlaying) { lastUse = output.clock.now }
        return output.clock.now - lastUse > limit
    }

    /// The pause has lasted so long that the device is given back.
    var mustCloseInPause: Bool {
        guard let pausedSince, isOpen, !output.specification.isAlwaysOn, let limit = pauseLimit else { return false }
        return output.clock.now - pausedSince >= limit
    }

    private var pauseLimit: Nanoseconds? {
        output.specification.type == .alsa ? output.specification.closesPausedAfter.map { Nanoseconds($0) } : nil
    }

    /// Gives the device back to others; what it has not played waits for the end of the pause.
    func closeInPause() { closeDriver(givingBack: unplayed.take()) }

    /// Puts sound that the device has not played before what is still to be taken.
    func giveBack(_ rest: [SampleBlock]) {
        output.state.withLock { state in
            guard !state.commands.awaitsFlush else { return }
            state.queue.giveBack(rest)
            state.report.waitingSince = nil
        }
    }

    /// Sound waits for a device that takes a moment to open.
    func expectOpening() {
        output.state.withLock { state in
            if output.isLive, !state.queue.blocks.isEmpty { state.report.waitingSince = output.clock.now }
        }
    }
}
