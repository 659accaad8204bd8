import Coordination
import Outputs

/// Sound that the device has and has not played.
extension OutputLoop {
    /// Discards what the device has not played. At the end of the music that is heard: devices reckon by the clock how
    /// far they are, and may be behind that, so what they have is theirs to play.
    func flushDriver(discards: Bool) {
        if !discards, isOpen, !isPaused {
            ringsOutUntil = output.clock.now + .seconds(2)
            return
        }
        ringsOutUntil = nil
        if isOpen { driver.flush() }
        unplayed.forget()
    }

    /// Something follows on the end of the music: a device that has played all it had begins anew.
    func goOnBehindEnd() {
        guard ringsOutUntil != nil else { return }
        unplayed.forget(before: driver.playedTo)
        if unplayed.isEmpty { endRinging() } else { ringsOutUntil = nil }
    }

    /// Nothing follows on the end of the music: the device comes to rest.
    func endRinging() {
        if ringsOutUntil != nil { flushDriver(discards: true) }
    }
}

/// Other formats while it plays.
extension OutputLoop {
    /// Goes by other formats from now on; a driver to which that matters plays what it has and is exchanged.
    func adopt(_ wanted: OutputSpecification) {
        let isAlike = specification.playsAlike(wanted)
        specification = wanted
        channels = OutputChannels(wanted)
        guard !isAlike || exchangeBy != nil else { return }
        endRinging()
        exchangeBy = output.clock.now + Self.maxWait
        if mustExchange { exchangeDriver() }
    }

    /// A device with a longer buffer is given the rest of it once more.
    private static let maxWait: Nanoseconds = .milliseconds(400)

    var mustExchange: Bool {
        guard let exchangeBy else { return false }
        return !isOpen || isPaused || unplayed.isEmpty || output.clock.now > exchangeBy
    }

    /// Makes a driver for the formats as they are now, which goes on with the very frame.
    func exchangeDriver() {
        exchangeBy = nil
        if isOpen {
            if !unplayed.isEmpty, !isPaused { driver.setPaused(true) }
            unplayed.forget(before: driver.playedTo)
            let rest = unplayed.take()
            closeDriver()
            giveBack(rest)
        }
        driver.release()
        driver = make(specification)
        // The device takes a moment to open.
        beginAnew()
        guard isEnabled else { return }
        do throws(OutputProblem) { try driver.prepare() } catch { fail(error) }
    }
}
