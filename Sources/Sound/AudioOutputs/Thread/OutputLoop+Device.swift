import Coordination
import Logging
import Outputs

/// Sound that the device has and has not played.
extension OutputLoop {
    /// Discards what the device has not played. At the end of the music that is heard: devices estimate their position
    /// by the clock, and may be behind it, so what they have is theirs to play.
    func flushDriver(discards: Bool) {
        if !discards, isOpen, !isPaused {
            if !isLeaving { device = .ringsOut(until: output.clock.now + .seconds(2)) }
            return
        }
        if case .ringsOut = device { device = .open }
        if isOpen { driver.flush() }
        unplayed.forget()
    }

    /// Sound follows the end of the music: a device that has played all it had starts again.
    func goOnBehindEnd() {
        guard case .ringsOut = device else { return }
        unplayed.forget(before: driver.playedTo)
        if unplayed.isEmpty { endRinging() } else { device = .open }
    }

    /// Nothing follows the end of the music: the device comes to rest.
    func endRinging() { if case .ringsOut = device { flushDriver(discards: true) } }
}

/// Other formats while it plays.
extension OutputLoop {
    /// Uses other formats from now on; a driver that is affected plays what it has and is replaced.
    func adopt(_ wanted: OutputSpecification) {
        let isAlike = specification.playsAlike(wanted)
        specification = wanted
        channels = OutputChannels(wanted)
        guard !isAlike || isLeaving else { return }
        guard isOpen else { return replaceDriver() }
        endRinging()
        device = .leaves(by: output.clock.now + Self.maxWait)
        if mustExchange { exchangeDriver() }
    }

    /// A device with a longer buffer is given the rest of it again.
    private static let maxWait: Nanoseconds = .milliseconds(400)

    var mustExchange: Bool {
        guard case .leaves(let end) = device else { return false }
        return isPaused || unplayed.isEmpty || output.clock.now > end
    }

    /// Ends the driver that leaves; the next one continues with the very frame.
    func exchangeDriver() {
        if !unplayed.isEmpty, !isPaused { driver.setPaused(true) }
        unplayed.forget(before: driver.playedTo)
        closeDriver(givingBack: unplayed.take())
    }

    func replaceDriver() {
        driver.release()
        driver = make(specification)
        expectOpening()
        guard device != .disabled else { return }
        do throws(OutputProblem) { try driver.prepare() } catch { fail(error) }
    }
}

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

    func closeInPause() { closeDriver(givingBack: unplayed.take()) }

    func giveBack(_ rest: [SampleBlock]) {
        output.state.withLock { state in
            guard !state.commands.awaitsFlush else { return }
            state.queue.giveBack(rest)
            state.report.waitingSince = nil
        }
    }

    func expectOpening() {
        output.state.withLock { state in
            if output.isLive, !state.queue.blocks.isEmpty { state.report.waitingSince = output.clock.now }
        }
    }
}

/// Moments in which the device had nothing to play.
extension OutputLoop {
    /// Checks whether the device has played everything before a block that joins on. One that need not join on, or
    /// whose gap is counted, is marked so for the driver, which looks as well.
    func watchForUnderrun(_ block: inout SampleBlock) {
        if block.followsWait { underruns.interrupt() }
        if !underruns.isWatching { block.followsWait = true }
        let range = block.start..<max(block.start, block.end)
        guard underruns.isGap(before: range, playedTo: driver.playedTo, at: output.clock.now) else { return }
        block.followsWait = true
        let (missing, late) = (block.missing.milliseconds, (output.clock.now - block.mixedAt).milliseconds)
        countUnderrun(["missing": "\(missing) ms", "late": "\(late) ms"])
    }

    func countGapOfDevice() {
        guard let lost = driver.takeGap() else { return }
        countUnderrun(["lost": "\(lost.milliseconds) ms"])
    }

    private func countUnderrun(_ facts: Logger.Metadata) {
        guard underruns.isAnotherGap(at: output.clock.now) else { return }
        output.state.withLock { $0.report.underruns += 1 }
        output.log.info("Output \"\(output.specification.name)\" had nothing to play for a moment", metadata: facts)
    }
}
