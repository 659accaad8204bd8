import Coordination
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
    func endRinging() {
        if case .ringsOut = device { flushDriver(discards: true) }
    }
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

    /// Makes a driver for the formats as they are now, in place of one that is closed.
    func replaceDriver() {
        driver.release()
        driver = make(specification)
        expectOpening()
        guard device != .disabled else { return }
        do throws(OutputProblem) { try driver.prepare() } catch { fail(error) }
    }
}
