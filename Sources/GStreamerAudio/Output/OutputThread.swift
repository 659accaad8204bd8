import Logging
import Playback

/// One output: a thread, a bounded queue and a driver, which is opened again after failures with growing pauses.
///
/// - Isolation: any thread. The driver is touched on the output's thread alone.
final class OutputThread: Sendable {
    /// What the engine reads of an output.
    struct Report: Sendable {
        /// Whether it should play.
        var isEnabled: Bool
        /// What went wrong last; nil while it works.
        var problem: String?
        /// The place up to which the sound was played, for those that know.
        var playedTo: Int64?
        /// When that was so, on the monotonic clock.
        var playedAt: Int64 = 0
        /// The place up to which blocks were taken.
        var takenTo: Int64 = 0
        /// When blocks were first given since the last flush, on the monotonic clock.
        var waitingSince: Int64?
        /// How much is queued, in nanoseconds.
        var queued: Int64 = 0
    }

    private struct State {
        var report: Report
        var queue: [SampleBlock] = []
        /// What was heard in the engine that this output left, and is still to be written.
        var settled: [SampleBlock] = []
        /// Counts the engines that it has played for.
        var tenure = 0
        /// Tells the engine that it plays for of a problem that comes, changes or goes.
        var tellOwner: @Sendable () -> Void
        var due: Int64 = 0
        /// The end of the block that was taken last.
        var begunTo: Int64 = 0
        var epoch = 0
        var volume: Float = 1
        var isPaused = false
        var isClosing = false
        var isGone = false
    }

    private enum Work {
        case close
        case disable
        case enable
        case flush(epoch: Int)
        case pause(Bool)
        case block(SampleBlock, tenure: Int)
        case idle
    }

    let specification: OutputSpecification
    /// Whether it plays at the speed of the music by itself.
    let isLive: Bool
    /// Steers the devices that play what this output sends; nil where there are none.
    let rooms: (any RoomControl)?
    /// The device's own volume; nil where Segue scales the samples, or nothing does.
    let mixer: (any OutputMixer)?
    private let state: Monitor<State>
    private let log: Logger
    private let retryBase: Int64

    /// Describes the output; `start` brings it to life.
    ///
    /// - Parameter changed: called on the output's thread when its problem comes, changes or goes.
    init(
        _ specification: OutputSpecification, log: Logger, retryMilliseconds: Int = 500,
        changed: @escaping @Sendable () -> Void
    ) {
        self.specification = specification
        self.log = log
        isLive = specification.isLive
        retryBase = Int64(retryMilliseconds) * 1_000_000
        state = Monitor(State(report: Report(isEnabled: specification.isEnabled), tellOwner: changed))
        rooms =
            specification.type == .snapcast && specification.snapcast.isControlled
            ? SnapcastControl(specification.snapcast, name: specification.name, log: log, changed: changed) : nil
        let streamMixer = StreamMixer(changed: changed)
        mixer =
            switch (specification.mixerType, specification.type) {
            case (.hardware, .alsa): ALSAMixer(specification.mixer, log: log, changed: changed)
            case (.hardware, .pulse): streamMixer
            default: nil
            }
        let make = specification.driver(streamMixer, log: log)
        BlockingThread.start("output") { OutputLoop(self, make()).run() }
    }

    /// How the output is.
    var report: Report { state.withLock { $0.report } }

    /// Queues blocks; an output that is far behind loses its oldest ones.
    func give(_ blocks: [SampleBlock]) {
        state.update { state in
            guard state.report.isEnabled, !state.isClosing else { return }
            if state.report.waitingSince == nil { state.report.waitingSince = Monotonic.now }
            state.queue += blocks
            state.report.queued += blocks.reduce(0) { $0 + $1.duration }
            while state.report.queued > Self.limit, state.queue.count > 1 {
                state.report.queued -= state.queue.removeFirst().duration
                state.report.problem = state.report.problem ?? "too slow: some sound was lost"
            }
        }
    }

    private static let limit: Int64 = 10_000_000_000

    /// Says how far the sound is heard; what isn't live writes up to there.
    func setDue(_ place: Int64) {
        guard !isLive else { return }
        state.update { $0.due = max($0.due, place) }
    }

    /// Drops everything that isn't heard yet.
    ///
    /// - Parameter place: the place heard; what is not live still writes what lies before it.
    /// - Returns: the place up to which it has written or still writes.
    @discardableResult
    func flush(heard place: Int64) -> Int64 {
        state.update { state in
            state.queue.removeAll { isLive || $0.start >= place }
            defer { state.begunTo = 0 }
            state.report.queued = state.queue.reduce(0) { $0 + $1.duration }
            state.report.playedTo = nil
            state.report.waitingSince = nil
            state.epoch += 1
            return max(place, state.queue.last?.end ?? state.begunTo)
        }
    }

    /// Names the engine that hears of problems from now on.
    func setOwner(_ changed: @escaping @Sendable () -> Void) {
        state.withLock { $0.tellOwner = changed }
        rooms?.setOwner(changed)
        mixer?.setOwner(changed)
    }

    /// Takes leave of an engine: what it has heard is still written, the rest is dropped.
    func leave(heard place: Int64) {
        state.update { state in
            if !isLive { state.settled += state.queue.filter { $0.start < place } }
            state.queue = []
            state.report.queued = 0
            state.report.playedTo = nil
            state.report.waitingSince = nil
            state.report.takenTo = 0
            (state.due, state.begunTo) = (0, 0)
            state.epoch += 1
            state.tenure += 1
        }
    }

    /// Plays for another engine from now on, whose sound is heard up to `due`.
    func join(isPaused: Bool, due: Int64) {
        state.update { state in
            state.isPaused = isPaused
            state.due = due
        }
    }

    /// Sets the factor of the volume; it is applied as late as possible, so that changes are heard soon.
    func setVolume(_ factor: Float) { state.withLock { $0.volume = factor } }

    /// Holds, or goes on.
    func setPaused(_ isPaused: Bool) { state.update { $0.isPaused = isPaused } }

    /// Enables or disables; true if that changed something.
    func setEnabled(_ isEnabled: Bool) -> Bool {
        state.update { state in
            guard state.report.isEnabled != isEnabled else { return false }
            state.report.isEnabled = isEnabled
            state.report.problem = nil
            return true
        }
    }

    /// Asks the output to finish and close.
    func close() {
        rooms?.close()
        mixer?.close()
        state.update { $0.isClosing = true }
    }

    /// Waits until it is closed; false when that takes longer.
    func waitUntilGone(milliseconds: Int) -> Bool {
        state.wait(milliseconds: milliseconds) { $0.isGone ? true : nil } ?? false
    }

    // MARK: The output's thread

    /// What happens on the thread; a class of its own because none of it may be touched from elsewhere.
    private final class OutputLoop {
        private let output: OutputThread
        private let driver: any OutputDriver
        private var isEnabled = false
        private var isOpen = false
        private var isPaused = false
        private var epoch = 0
        private var retryAt: Int64 = 0
        private var retryPause: Int64
        private var lastUse = Monotonic.now
        private var volume = GainRamp(1)
        private var scaledTo: Int64 = -1
        private var silence = SilenceFiller()
        private var layout = SampleLayout(rate: 44100, channels: 2)

        init(_ output: OutputThread, _ driver: any OutputDriver) {
            self.output = output
            self.driver = driver
            retryPause = output.retryBase
        }

        func run() {
            while true {
                switch next() {
                case .close:
                    shut()
                    driver.retire()
                    output.state.update { $0.isGone = true }
                    return
                case .disable:
                    isEnabled = false
                    shut()
                    driver.retire()
                    output.state.withLock { state in
                        state.queue = []
                        state.report.queued = 0
                        state.report.playedTo = nil
                        state.report.waitingSince = nil
                    }
                case .enable: enable()
                case .flush(let epoch):
                    self.epoch = epoch
                    if isOpen { driver.flush() }
                    silence.rest()
                case .pause(let isPaused):
                    self.isPaused = isPaused
                    if isOpen { driver.setPaused(isPaused) }
                    if isPaused { silence.rest() }
                case .block(let block, let tenure): take(block, tenure)
                case .idle: break
                }
                look()
            }
        }

        private func next() -> Work {
            // A closed device needs nothing until there is news.
            let milliseconds = isOpen ? driver.restMilliseconds : staysOpen ? 500 : 3_600_000
            let perishable = driver.isPerishable
            let (isEnabled, isPaused, epoch, isLive) = (isEnabled, isPaused, epoch, driver.isLive)
            let takes = !isOpen || driver.wantsMore
            return output.state.wait(milliseconds: milliseconds) { state in
                if let work = Self.dueBlock(&state, isLive, perishable, isEnabled && state.isClosing) { return work }
                if state.isClosing { return .close }
                if isEnabled, !state.report.isEnabled {
                    if !isLive, let work = Self.dueBlock(&state, isLive, perishable, true) { return work }
                    return .disable
                }
                if !isEnabled, state.report.isEnabled { return .enable }
                if state.epoch != epoch { return .flush(epoch: state.epoch) }
                if state.isPaused != isPaused { return .pause(state.isPaused) }
                return isEnabled ? Self.dueBlock(&state, isLive, perishable, takes) : nil
            } ?? .idle
        }

        /// The next block that may be written: any for live outputs, one that is heard for the others.
        private static func dueBlock(
            _ state: inout State, _ isLive: Bool, _ isPerishable: Bool, _ isAsked: Bool
        ) -> Work? {
            if isPerishable { dropLate(&state) }
            if isAsked, !state.settled.isEmpty { return .block(state.settled.removeFirst(), tenure: -1) }
            guard isAsked, let first = state.queue.first, isLive ? !state.isClosing : first.start < state.due else {
                return nil
            }
            state.queue.removeFirst()
            state.report.queued -= first.duration
            state.begunTo = first.end
            return .block(first, tenure: state.tenure)
        }

        /// After a wait, as for a server that doesn't answer, old sound would only delay what follows.
        private static func dropLate(_ state: inout State) {
            guard state.due != .max else { return }
            while let first = state.queue.first, first.end < state.due - latest {
                state.queue.removeFirst()
                state.report.queued -= first.duration
            }
        }

        private static let latest: Int64 = 2_000_000_000

        private func enable() {
            isEnabled = true
            (retryAt, retryPause) = (0, output.retryBase)
            do throws(OutputProblem) { try driver.prepare() } catch { fail(error) }
        }

        /// Whether it is to be open even before anything plays.
        private var staysOpen: Bool { isEnabled && output.specification.isAlwaysOn && driver.takesSilence }

        private func open(_ layout: SampleLayout) throws(OutputProblem) {
            guard !isOpen else { return }
            try driver.open(layout)
            isOpen = true
            silence.begin(at: Monotonic.now)
        }

        private func take(_ block: SampleBlock, _ tenure: Int) {
            defer {
                output.state.update { state in
                    if state.tenure == tenure { state.report.takenTo = max(state.report.takenTo, block.end) }
                }
            }
            guard isOpen || Monotonic.now >= retryAt else { return }
            lastUse = Monotonic.now
            do throws(OutputProblem) {
                try open(block.layout)
                try driver.write(scaled(block))
                layout = block.layout
                silence.heard(block.duration, at: Monotonic.now)
                works()
            } catch { fail(error) }
        }

        /// The block with the volume applied, which changes smoothly within sound that goes on and else at once.
        private func scaled(_ block: SampleBlock) -> SampleBlock {
            var block = block
            if output.specification.replayGainHandler == .none, let plain = block.plainSamples { block.samples = plain }
            guard output.specification.mixerType == .software else { return block }
            volume.target = output.state.withLock { $0.volume }
            if block.start != scaledTo { volume.jump() }
            scaledTo = block.end
            guard volume.current != 1 || volume.target != 1 else { return block }
            volume.apply(to: &block.samples, layout: block.layout)
            return block
        }

        private func look() {
            do throws(OutputProblem) {
                if !isOpen, staysOpen, Monotonic.now >= retryAt { try open(layout) }
                guard isOpen else { return }
                try driver.poll()
                if driver.takesSilence, let length = silence.missing(at: Monotonic.now) {
                    try driver.write(.silence(length, layout))
                }
            } catch { return fail(error) }
            if !isPaused, !output.specification.isAlwaysOn, let limit = driver.idleLimit,
                Monotonic.now - lastUse > limit
            {
                return shut()
            }
            guard driver.isLive else { return }
            let playedTo = driver.playedTo
            output.state.withLock { state in
                if state.epoch == epoch { (state.report.playedTo, state.report.playedAt) = (playedTo, Monotonic.now) }
            }
        }

        private func works() {
            guard !driver.isLive || driver.playedTo != nil else { return }
            retryPause = output.retryBase
            report(problem: nil)
        }

        private func fail(_ problem: OutputProblem) {
            shut()
            retryAt = Monotonic.now + retryPause
            retryPause = min(retryPause * 2, 30_000_000_000)
            report(problem: problem.message)
        }

        private func report(problem: String?) {
            let isNew = output.state.withLock { state in
                if problem != nil { state.report.playedTo = nil }
                defer { state.report.problem = problem }
                return state.report.problem != problem
            }
            guard isNew else { return }
            if let problem {
                output.log.warning("Output \"\(output.specification.name)\" doesn't play: \(problem)")
            } else {
                output.log.info("Output \"\(output.specification.name)\" plays")
            }
            output.state.withLock { $0.tellOwner }()
        }

        private func shut() {
            if isOpen { driver.close() }
            isOpen = false
            output.state.withLock { $0.report.playedTo = nil }
        }
    }
}
