import AudioFiles
package import Coordination
package import Logging
import MusicModel
package import Outputs
import Playback

/// One output: a thread, a bounded queue and a driver, which is opened again after failures with growing pauses.
/// - Isolation: any thread. The driver is touched on the output's thread alone.
package final class OutputThread: Sendable {
    /// The report that the engine reads of an output.
    package struct Report: Sendable {
        /// True if it should play.
        package var isEnabled: Bool
        /// Plays at the speed of the music on its own.
        package var isLive = false
        /// The last error; nil while it works.
        package var problem: String?
        /// The position up to which the sound was played, for those that know.
        package var playedTo: Nanoseconds?
        /// When that was so, on the engine's clock.
        package var playedAt: Nanoseconds = .zero
        /// When it became known, on the engine's clock.
        package var begunAt: Nanoseconds = .zero
        /// When that position changed last, or nothing was left to play, on the engine's clock.
        package var movedAt: Nanoseconds = .zero
        /// The position up to which blocks were taken.
        package var takenTo: Nanoseconds = .zero
        /// When blocks were first given since the last flush, on the engine's clock.
        package var waitingSince: Nanoseconds?
        /// How many listen; nil for outputs that can't know.
        package var listeners: Int?
        /// How often the device had nothing to play in the middle of sound.
        package var underruns = 0
        /// How often a problem came.
        package var failures = 0
        /// The rates of one-bit sound, as formats have them, that the device can't be given as DoP.
        var refusedDoP: Set<AudioFormat> = []
        /// How much is queued.
        package var queued: Nanoseconds = .zero

        /// True if it is enabled and works. One that doesn't takes blocks only to throw them away.
        package var plays: Bool { isEnabled && problem == nil }

        /// Takes in how far the sound was played; nil while that isn't known.
        mutating func notePlace(_ place: Nanoseconds?, isDry: Bool, at now: Nanoseconds) {
            if isDry || playedTo != place { movedAt = now }
            if playedTo == nil { begunAt = now }
            (playedTo, playedAt) = (place, now)
        }
    }

    struct State {
        var report: Report
        var queue: OutputQueue
        var commands: OutputCommands
        var tellOwner: @Sendable () -> Void
        var volume: Float = 1
        var attributes: OutputAttributes
        /// True if it was enabled and hasn't been given what is heard next.
        var isJoining = false
        /// True if the engine plays a track, of which the sound may be waited for.
        var isPlaying = false
        var isGone = false

        var factor: Float { volume * Gain.factor(volume: attributes.volume) }
        /// True if what the device tells is of the sound that it is to play.
        var isCurrent: Bool { !commands.awaitsFlush && !commands.awaitsStall }
        mutating func forgetPlace() { (report.playedTo, report.waitingSince) = (nil, nil) }
    }

    /// The output as it is configured.
    package let specification: OutputSpecification
    /// The same with the formats that clients have set.
    package var currentSpecification: OutputSpecification { state.withLock { $0.attributes.specification } }
    /// Plays at the speed of the music on its own.
    package let isLive: Bool
    var isSilent: Bool { specification.type == .null }
    /// Steers the devices that play what this output sends; nil where there are none.
    package let rooms: (any RoomControl)?
    /// The device's own volume; nil where Segue scales the samples, or nothing does.
    package let mixer: (any OutputMixer)?
    let state: Monitor<State>
    let log: Logger
    let clock: any EngineClock
    let retryBase: Nanoseconds

    /// Starts the output's thread, which calls `changed` when its problem comes, changes or goes.
    package init(
        _ specification: OutputSpecification, log: Logger, clock: any EngineClock = .monotonic,
        retryMilliseconds: Int = 500,
        driver: (@Sendable () -> any OutputDriver)? = nil, changed: @escaping @Sendable () -> Void
    ) {
        self.specification = specification
        (self.log, self.clock) = (log, clock)
        isLive = specification.isLive
        retryBase = .milliseconds(retryMilliseconds)
        let listeners = specification.type == .httpd ? 0 : nil
        let report = Report(isEnabled: specification.isEnabled, isLive: isLive, listeners: listeners)
        let state = Monitor(
            State(
                report: report, queue: OutputQueue(isLive: isLive),
                commands: OutputCommands(.setEnabled(specification.isEnabled)), tellOwner: changed,
                attributes: OutputAttributes(specification)))
        self.state = state
        let tellOwner: @Sendable () -> Void = { state.withLock { $0.tellOwner }() }
        rooms = (specification.own.value as? any DriverSettings)?.control(
            of: specification, clock, log: log, changed: tellOwner)
        let streamMixer = StreamMixer(changed: tellOwner)
        mixer = specification.deviceMixer(streamMixer, log: log, changed: tellOwner)
        let context = DriverContext(mixer: streamMixer, clock: clock, log: log) { count in
            state.withLock { $0.report.listeners = count }
            tellOwner()
        }
        let make: OutputLoop.DriverMaker = { driver?() ?? $0.driver(context) }
        guard !clock.startThread("output", { OutputLoop(self, make).run() }) else { return }
        log.error("Output \"\(specification.name)\" doesn't play: \(BlockingThread.missing)")
        state.update { state in
            state.isGone = true
            state.report.problem = BlockingThread.missing
        }
    }

    /// How the output is.
    package var report: Report {
        state.withLock { state in
            var report = state.report
            report.queued = state.queue.length
            return report
        }
    }

    /// Queues blocks; an output that is far behind loses its oldest ones.
    package func give(_ blocks: [SampleBlock]) {
        let isWaiting = state.withLock { state in
            guard state.report.isEnabled, !state.isJoining, !state.commands.isClosing, !state.commands.awaitsStall,
                !state.isGone
            else { return false }
            let isWaiting = state.queue.blocks.isEmpty
            if state.report.waitingSince == nil { state.report.waitingSince = clock.now }
            if !state.queue.give(blocks) {
                state.report.problem = state.report.problem ?? "too slow: some sound was lost"
            }
            return isWaiting
        }
        // Else it knows when it wants more.
        if isWaiting { state.update { _ in } }
    }

    /// True if it was enabled and waits for what is heard next.
    package var isJoining: Bool { state.withLock { $0.isJoining } }

    /// Gives one that joins what is heard next.
    package func join(with blocks: [SampleBlock]) {
        state.withLock { $0.isJoining = false }
        give(blocks)
    }

    /// Takes it out of play: it plays nothing of its sound, which is discarded. The device is reopened once its thread,
    /// which may be held up there, gets away.
    package func stall() {
        let tell = state.update { state -> (@Sendable () -> Void)? in
            guard !state.commands.awaitsStall, state.report.problem == nil else { return nil }
            state.commands.post(.stall)
            state.queue.clear()
            state.report.playedTo = nil
            state.report.problem = Self.stalled.message
            state.report.failures += 1
            return state.tellOwner
        }
        guard let tell else { return }
        log.warning("Output \"\(specification.name)\" doesn't play: \(Self.stalled)")
        tell()
    }

    static let stalled = OutputProblem(
        "the device takes no sound any more; is it connected, and does its server answer? It is tried again")

    /// Has it leave out what it would play later than the others; what its device has already is still heard.
    package func catchUp(_ lag: Nanoseconds) {
        state.withLock { $0.queue.catchUp(lag, takenTo: $0.report.takenTo, playedTo: $0.report.playedTo) }
    }

    /// Says how far the sound is heard, and up to where that surely continues; what isn't live writes as it goes.
    package func setDue(_ place: Nanoseconds, limit: Nanoseconds) {
        guard !isLive else { return }
        let due = HeardLine(place: place, since: clock.now, limit: limit)
        // Else it wakes on its own.
        if state.withLock({ $0.queue.setDue(due) }) { state.update { _ in } }
    }

    /// Discards everything that isn't heard yet, unless all was; gives the position up to which it has written or will.
    @discardableResult
    package func flush(heard place: Nanoseconds, isOver: Bool = false) -> Nanoseconds {
        state.update { state in
            state.forgetPlace()
            state.commands.post(.flush(discards: !isOver || !isLive))
            return state.queue.flush(heard: place)
        }
    }

    /// Discards what lies behind a position that is not heard yet; false if some of that is taken already.
    package func withdraw(from place: Nanoseconds, forgetsSilent: Bool = false) -> Bool {
        state.withLock { state in
            guard state.queue.begunTo <= place || forgetsSilent && isSilent || !state.report.plays else { return false }
            state.queue.withdraw(from: place)
            return true
        }
    }

    /// Names the engine that hears of problems from now on.
    package func setOwner(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.tellOwner = changed } }

    /// Takes leave of an engine: what it has heard is still written, the rest is discarded.
    package func detach(heard place: Nanoseconds) {
        state.update { state in
            state.queue.detach(heard: place)
            state.forgetPlace()
            (state.report.takenTo, state.isPlaying) = (.zero, false)
            state.commands.post(.flush(discards: true))
        }
    }

    /// Plays for another engine from now on, whose sound is heard up to `due`.
    package func join(isPaused: Bool, due: Nanoseconds) {
        state.update { state in
            state.commands.post(.setPaused(isPaused))
            state.queue.due = HeardLine(place: due, limit: due)
        }
    }

    /// Takes no sound until the next envelope comes; gives the position up to which it has taken some to be heard.
    package func hold() -> Nanoseconds {
        state.withLock { state in
            state.queue.hold()
            return isSilent || !state.report.plays ? .zero : state.queue.begunTo
        }
    }

    /// Sets how the sound fades; it is applied as late as possible.
    package func setEnvelope(_ envelope: FadeEnvelope) { state.update { $0.queue.setEnvelope(envelope) } }

    /// Sets the factor of the volume; it is applied as late as possible, so that changes are heard soon.
    package func setVolume(_ factor: Float) {
        state.update { state in
            state.volume = factor
            state.commands.post(.applyVolume)
        }
    }

    /// Holds, or continues.
    package func setPaused(_ isPaused: Bool) { state.update { $0.commands.post(.setPaused(isPaused)) } }
    /// Says whether a track plays; it need not be heard.
    package func setPlaying(_ isPlaying: Bool) { state.withLock { $0.isPlaying = isPlaying } }

    /// Enables or disables; true if that changed something.
    package func setEnabled(_ isEnabled: Bool) -> Bool {
        state.update { state in
            guard state.report.isEnabled != isEnabled else { return false }
            (state.report.isEnabled, state.isJoining) = (isEnabled, isEnabled)
            state.commands.post(.setEnabled(isEnabled))
            (state.report.problem, state.report.refusedDoP) = (nil, [])
            return true
        }
    }

    /// Asks the output to finish and close.
    package func close() {
        rooms?.close()
        mixer?.close()
        state.update { $0.commands.post(.close) }
    }

    /// Waits until it is closed; false when that takes longer.
    package func waitUntilGone(milliseconds: Int) -> Bool {
        state.wait(milliseconds: milliseconds, by: clock) { $0.isGone ? true : nil } ?? false
    }
}
