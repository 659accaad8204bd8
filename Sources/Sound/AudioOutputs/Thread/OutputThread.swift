import AudioFiles
package import Coordination
package import Logging
import MusicModel
package import Outputs
import Playback

/// One output: a thread, a bounded queue and a driver, which is opened again after failures with growing pauses.
///
/// - Isolation: any thread. The driver is touched on the output's thread alone.
package final class OutputThread: Sendable {
    /// The report that the engine reads of an output.
    package struct Report: Sendable {
        /// Whether it should play.
        package var isEnabled: Bool
        /// Whether it plays at the speed of the music by itself.
        package var isLive = false
        /// The last error; nil while it works.
        package var problem: String?
        /// The place up to which the sound was played, for those that know.
        package var playedTo: Nanoseconds?
        /// When that was so, on the engine's clock.
        package var playedAt: Nanoseconds = .zero
        /// When it became known, on the engine's clock.
        package var begunAt: Nanoseconds = .zero
        /// When that place changed last, or nothing was left to play, on the engine's clock.
        package var movedAt: Nanoseconds = .zero
        /// The place up to which blocks were taken.
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

        /// Whether it is enabled and works. One that doesn't takes blocks only to throw them away.
        package var plays: Bool { isEnabled && problem == nil }

        /// Takes in how far the sound was played; nil while that isn't known.
        ///
        /// - Parameter isDry: whether nothing is left to play, so that standing still is no stall.
        mutating func notePlace(_ place: Nanoseconds?, isDry: Bool, at now: Nanoseconds) {
            if isDry || playedTo != place { movedAt = now }
            if playedTo == nil { begunAt = now }
            (playedTo, playedAt) = (place, now)
        }
    }

    struct State {
        var report: Report
        var queue: [SampleBlock] = []
        /// The blocks that were heard in the engine that this output left, and are still to be written.
        var unwritten: [SampleBlock] = []
        /// Counts the engines that it has played for.
        var tenure = 0
        /// Tells the engine that it plays for of a problem that comes, changes or goes.
        var tellOwner: @Sendable () -> Void
        var due = HeardLine()
        /// Where it goes on that has lost some sound so as not to lag behind the others.
        var skippedTo: Nanoseconds = .zero
        /// The end of the block that was taken last.
        var begunTo: Nanoseconds = .zero
        var epoch = 0
        /// Whether what the device has is to be discarded with the epoch.
        var discards = false
        /// The factor of the volume that all outputs have in common.
        var volume: Float = 1
        /// How a pause or a stop fades the sound.
        var envelope = FadeEnvelope()
        /// Whether nothing is taken for the moment, as the envelope is about to change.
        var isHeld = false
        /// The attributes that clients set of this output alone.
        var attributes: OutputAttributes
        var isPaused = false
        /// Whether it was enabled and hasn't been given what is heard next.
        var isJoining = false
        /// Whether the engine plays a track, of which the sound may be waited for.
        var isPlaying = false
        /// Whether the engine goes on without it, which its thread is still to notice.
        var isStalled = false
        var isClosing = false
        var isGone = false

        /// The factor for samples: the common volume and the output's own.
        var factor: Float { volume * Gain.factor(volume: attributes.volume) }

        /// Takes the next block, or its part before the place at which the sound waits; nil if there is none.
        mutating func takeBlock() -> SampleBlock? {
            guard !isHeld, let first = queue.first else { return nil }
            guard let end = envelope.end, first.end > end else { return taken(queue.removeFirst()) }
            guard first.layout.frames(in: end - first.start) > 0 else { return nil }
            guard let (before, behind) = first.split(at: end) else { return taken(queue.removeFirst()) }
            queue[0] = behind
            return taken(before)
        }

        private mutating func taken(_ block: SampleBlock) -> SampleBlock {
            report.queued -= block.duration
            begunTo = block.end
            return block
        }
    }

    /// The output as it is configured.
    package let specification: OutputSpecification
    /// The same with the formats that clients have set.
    package var currentSpecification: OutputSpecification { state.withLock { $0.attributes.specification } }
    /// Whether it plays at the speed of the music by itself.
    package let isLive: Bool
    /// Whether what it takes is never heard.
    var isSilent: Bool { specification.type == .null }
    /// Steers the devices that play what this output sends; nil where there are none.
    package let rooms: (any RoomControl)?
    /// The device's own volume; nil where Segue scales the samples, or nothing does.
    package let mixer: (any OutputMixer)?
    let state: Monitor<State>
    let log: Logger
    /// The time that its sound and its attempts go by.
    let clock: any EngineClock
    let retryBase: Nanoseconds

    /// Describes the output; `start` brings it to life.
    ///
    /// - Parameters:
    ///   - driver: makes the driver on the output's thread; nil takes the one of the output's type.
    ///   - changed: called on the output's thread when its problem comes, changes or goes.
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
            State(report: report, tellOwner: changed, attributes: OutputAttributes(specification)))
        self.state = state
        rooms =
            specification.type == .snapcast && specification.snapcast.isControlled
            ? SnapcastControl(
                specification.snapcast, name: specification.name, log: log, clock: clock, changed: changed) : nil
        let streamMixer = StreamMixer(changed: changed)
        mixer = specification.deviceMixer(streamMixer, log: log, changed: changed)
        let listenersChanged: @Sendable (Int) -> Void = { count in
            let tell = state.withLock { state in
                state.report.listeners = count
                return state.tellOwner
            }
            tell()
        }
        let make: OutputLoop.DriverMaker = { specification in
            driver?() ?? specification.driver(streamMixer, clock, log: log, listenersChanged: listenersChanged)
        }
        guard !clock.startThread("output", { OutputLoop(self, make).run() }) else { return }
        log.error("Output \"\(specification.name)\" doesn't play: \(BlockingThread.missing)")
        state.update { state in
            state.isGone = true
            state.report.problem = BlockingThread.missing
        }
    }

    /// How the output is.
    package var report: Report { state.withLock { $0.report } }

    /// Queues blocks; an output that is far behind loses its oldest ones.
    package func give(_ blocks: [SampleBlock]) {
        let isWaiting = state.withLock { state in
            guard state.report.isEnabled, !state.isJoining, !state.isClosing, !state.isStalled, !state.isGone else {
                return false
            }
            let isWaiting = state.queue.isEmpty
            if state.report.waitingSince == nil { state.report.waitingSince = clock.now }
            state.queue += blocks
            state.report.queued += blocks.reduce(.zero) { $0 + $1.duration }
            while state.report.queued > Self.limit, state.queue.count > 1 {
                state.report.queued -= state.queue.removeFirst().duration
                state.report.problem = state.report.problem ?? "too slow: some sound was lost"
            }
            return isWaiting
        }
        // Else it knows when it wants more.
        if isWaiting { state.update { _ in } }
    }

    private static let limit: Nanoseconds = .seconds(10)

    /// Whether it was enabled and waits for what is heard next.
    package var isJoining: Bool { state.withLock { $0.isJoining } }

    /// Gives one that joins what is heard next.
    package func join(with blocks: [SampleBlock]) {
        state.withLock { $0.isJoining = false }
        give(blocks)
    }

    /// Takes it out of play: it has sound but plays none of it, and its thread may be held up in the device. What it
    /// has would come too late, so that is discarded; once the thread gets away the device is opened anew.
    package func stall() {
        let tell = state.update { state -> (@Sendable () -> Void)? in
            guard !state.isStalled, state.report.problem == nil else { return nil }
            state.isStalled = true
            state.queue = []
            (state.report.queued, state.report.playedTo) = (.zero, nil)
            state.report.problem = Self.stalled.message
            state.report.failures += 1
            return state.tellOwner
        }
        guard let tell else { return }
        log.warning("Output \"\(specification.name)\" doesn't play: \(Self.stalled)")
        tell()
    }

    /// The problem that is shown for that.
    static let stalled = OutputProblem(
        "the device takes no sound any more; is it connected, and does its server answer? It is tried again")

    /// Has it leave out what it would play later than the others: they have gone on while the device did not. What the
    /// device has already is still heard.
    ///
    /// - Parameter lag: how far it is behind.
    package func catchUp(_ lag: Nanoseconds) {
        state.withLock { state in
            // One that is about to leave something out has not caught up yet.
            guard state.report.playedTo ?? .zero >= state.skippedTo else { return }
            let end = state.report.takenTo + lag
            let before = state.queue.count
            state.queue.removeAll { $0.end <= end }
            guard state.queue.count < before else { return }
            state.report.queued = state.queue.reduce(.zero) { $0 + $1.duration }
            state.skippedTo = state.queue.first?.start ?? end
        }
    }

    /// Says how far the sound is heard, and up to where that surely goes on; what isn't live writes as it goes.
    package func setDue(_ place: Nanoseconds, limit: Nanoseconds) {
        guard !isLive else { return }
        let due = HeardLine(place: place, since: clock.now, limit: limit)
        let isNews = state.withLock { state in
            let known = state.due.limit
            state.due = due
            return state.queue.first.map { $0.start < place || ($0.start >= known && $0.start < limit) } ?? false
        }
        // Else it wakes by itself.
        if isNews { state.update { _ in } }
    }

    /// Discards everything that isn't heard yet.
    ///
    /// - Parameters:
    ///   - place: the place heard; what is not live still writes what lies before it.
    ///   - isOver: whether all was heard, so that there is nothing for a device to discard.
    /// - Returns: the place up to which it has written or still writes.
    @discardableResult
    package func flush(heard place: Nanoseconds, isOver: Bool = false) -> Nanoseconds {
        state.update { state in
            state.queue.removeAll { isLive || $0.start >= place }
            defer { (state.begunTo, state.skippedTo) = (.zero, .zero) }
            state.envelope.breakOff(at: place)
            state.report.queued = state.queue.reduce(.zero) { $0 + $1.duration }
            state.report.playedTo = nil
            state.report.waitingSince = nil
            state.epoch += 1
            if !isOver || !isLive { state.discards = true }
            return max(place, state.queue.last?.end ?? state.begunTo)
        }
    }

    /// Discards what lies behind a place that is not heard yet; false if some of that is taken already.
    ///
    /// - Parameter forgetsSilent: whether it doesn't matter what an output has taken that is never heard.
    package func withdraw(from place: Nanoseconds, forgetsSilent: Bool = false) -> Bool {
        state.withLock { state in
            guard state.begunTo <= place || forgetsSilent && isSilent || !state.report.plays else { return false }
            state.queue.removeAll { $0.start >= place }
            state.report.queued = state.queue.reduce(.zero) { $0 + $1.duration }
            return true
        }
    }

    /// Names the engine that hears of problems from now on.
    package func setOwner(_ changed: @escaping @Sendable () -> Void) {
        state.withLock { $0.tellOwner = changed }
        rooms?.setOwner(changed)
        mixer?.setOwner(changed)
    }

    /// Takes leave of an engine: what it has heard is still written, the rest is discarded.
    package func detach(heard place: Nanoseconds) {
        state.update { state in
            if !isLive { state.unwritten += state.queue.filter { $0.start < place } }
            state.queue = []
            state.report.queued = .zero
            state.report.playedTo = nil
            state.report.waitingSince = nil
            state.report.takenTo = .zero
            (state.due, state.begunTo, state.skippedTo) = (HeardLine(), .zero, .zero)
            state.envelope = FadeEnvelope()
            state.isPlaying = false
            (state.epoch, state.discards) = (state.epoch + 1, true)
            state.tenure += 1
        }
    }

    /// Plays for another engine from now on, whose sound is heard up to `due`.
    package func join(isPaused: Bool, due: Nanoseconds) {
        state.update { state in
            state.isPaused = isPaused
            state.due = HeardLine(place: due, limit: due)
        }
    }

    /// Takes no sound until the next envelope comes; gives the place up to which it has taken some that will be heard.
    package func hold() -> Nanoseconds {
        state.withLock { state in
            state.isHeld = true
            return isSilent || !state.report.plays ? .zero : state.begunTo
        }
    }

    /// Sets how the sound fades; it is applied as late as possible.
    package func setEnvelope(_ envelope: FadeEnvelope) { state.update { ($0.envelope, $0.isHeld) = (envelope, false) } }

    /// Sets the factor of the volume; it is applied as late as possible, so that changes are heard soon.
    package func setVolume(_ factor: Float) { state.update { $0.volume = factor } }

    /// Holds, or goes on.
    package func setPaused(_ isPaused: Bool) { state.update { $0.isPaused = isPaused } }

    /// Says whether a track plays; it need not be heard.
    package func setPlaying(_ isPlaying: Bool) { state.withLock { $0.isPlaying = isPlaying } }

    /// Enables or disables; true if that changed something.
    package func setEnabled(_ isEnabled: Bool) -> Bool {
        state.update { state in
            guard state.report.isEnabled != isEnabled else { return false }
            (state.report.isEnabled, state.isJoining) = (isEnabled, isEnabled)
            (state.report.problem, state.report.refusedDoP) = (nil, [])
            return true
        }
    }

    /// Asks the output to finish and close.
    package func close() {
        rooms?.close()
        mixer?.close()
        state.update { $0.isClosing = true }
    }

    /// Waits until it is closed; false when that takes longer.
    package func waitUntilGone(milliseconds: Int) -> Bool {
        state.wait(milliseconds: milliseconds, by: clock) { $0.isGone ? true : nil } ?? false
    }
}
