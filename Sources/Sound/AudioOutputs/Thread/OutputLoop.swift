import AudioFiles
import CGStreamer
import Coordination
import Logging
import MusicModel
import Outputs

/// The loop of an output's thread; a class of its own because none of it may be touched from elsewhere.
final class OutputLoop {
    private enum Work {
        case close
        case disable
        case enable
        case flush(epoch: Int, discards: Bool)
        case formats(OutputSpecification, change: Int)
        case pause(Bool)
        case volume(Float)
        case stalled
        case block(SampleBlock, tenure: Int)
        case idle
    }

    /// Makes the driver of an output, on the output's thread.
    typealias DriverMaker = @Sendable (OutputSpecification) -> any OutputDriver

    let output: OutputThread
    let make: DriverMaker
    /// The output with the formats that it goes by, and how often clients had changed those.
    var (specification, formatChanges): (OutputSpecification, Int)
    var driver: any OutputDriver
    /// Until when the driver that was made for other formats may play what it has; nil while none is left.
    var exchangeBy: Nanoseconds?
    /// Until when the driver plays on after the end of the music; nil while it doesn't.
    var ringsOutUntil: Nanoseconds?
    var isEnabled = false
    var isOpen = false
    /// Since when it is paused; nil while it is not.
    var pausedSince: Nanoseconds?
    private(set) var epoch = 0
    private var retries: DeviceRetries
    /// When there was something to play last.
    var lastUse: Nanoseconds
    private var volume = BlockVolume()
    /// The volume that a driver that applies it itself has.
    private var givenVolume: Float = 1
    /// The sound that the device has and hasn't played, for the time after it was closed in a pause.
    var unplayed = UnplayedSound()
    private var silence = SilenceFiller()
    var channels: OutputChannels
    private var filtered: FilteredSound
    private var marking = DoPMarking()
    private var gains = MixerGains()
    var underruns = UnderrunWatch()
    /// The compromise that was told last.
    private var compromise: String?
    /// The form of the sound before, which silence has to have too.
    private var form = (layout: SampleLayout(rate: 44100, channels: 2), isDoP: false, end: SampleBlock.nowhere)

    init(_ output: OutputThread, _ make: @escaping DriverMaker) {
        self.output = output
        self.make = make
        (specification, formatChanges) = (output.specification, 0)
        driver = make(specification)
        lastUse = output.clock.now
        // A sound device costs little to try, and a user who plugs it in again wants to hear it soon.
        retries = DeviceRetries(first: output.retryBase, longest: output.isLive ? .seconds(4) : .seconds(30))
        channels = OutputChannels(output.specification)
        filtered = FilteredSound(name: output.specification.name, log: output.log)
    }

    func run() {
        if let priority = output.specification.realtimePriority, segue_make_realtime(priority) != 0 {
            output.log.debug("Output \"\(output.specification.name)\" runs in real time")
        }
        while true {
            switch next() {
            case .close:
                closeDriver()
                driver.release()
                output.state.update { $0.isGone = true }
                return
            case .disable:
                isEnabled = false
                closeDriver()
                driver.release()
                output.state.withLock { state in
                    state.queue = []
                    state.report.queued = .zero
                    state.report.playedTo = nil
                    state.report.waitingSince = nil
                }
            case .enable: enable()
            case .flush(let epoch, let discards):
                self.epoch = epoch
                flushDriver(discards: discards)
                underruns.interrupt()
                filtered.flush()
                gains.flush()
                silence.rest()
            case .pause(let isPaused):
                pausedSince = isPaused ? output.clock.now : nil
                // The pause is no time in which nothing played.
                lastUse = output.clock.now
                endRinging()
                if isOpen { driver.setPaused(isPaused) } else if !isPaused { beginAnew() }
                underruns.interrupt()
                if isPaused { silence.rest() }
            case .formats(let specification, let change): adopt(specification, change)
            case .volume(let factor): setVolume(factor)
            case .stalled: fail(OutputThread.stalled)
            case .block(let block, let tenure): take(block, tenure)
            case .idle: break
            }
            pollDriver()
        }
    }

    var isPaused: Bool { pausedSince != nil }

    private func next() -> Work {
        // A closed device needs nothing until there is news.
        var milliseconds = isOpen ? driver.restMilliseconds : staysOpen ? 500 : 3_600_000
        if exchangeBy != nil { milliseconds = min(5, milliseconds) }
        let perishable = driver.isPerishable
        let (isEnabled, isPaused, epoch, isLive) = (isEnabled, isPaused, epoch, output.isLive)
        // A device that was closed in a pause stays closed until that ends.
        let takes = isOpen ? exchangeBy == nil && driver.wantsMore : !isPaused || !output.isLive
        let (scalesItself, givenVolume, formatChanges) = (scalesItself, givenVolume, formatChanges)
        let clock = output.clock
        return output.state.wait(milliseconds: milliseconds, by: clock) { state, again in
            let now = clock.now
            func dueBlock(_ isAsked: Bool) -> Work? { Self.dueBlock(&state, isLive, perishable, isAsked, at: now) }
            if let work = dueBlock(isEnabled && state.isClosing) { return work }
            if state.isClosing { return .close }
            if isEnabled, !state.report.isEnabled {
                if !isLive, let work = dueBlock(true) { return work }
                return .disable
            }
            if !isEnabled, state.report.isEnabled { return .enable }
            if state.isStalled {
                state.isStalled = false
                return .stalled
            }
            if state.epoch != epoch {
                defer { state.discards = false }
                return .flush(epoch: state.epoch, discards: state.discards)
            }
            if state.attributes.formatChanges != formatChanges {
                return .formats(state.attributes.specification, change: state.attributes.formatChanges)
            }
            if state.isPaused != isPaused { return .pause(state.isPaused) }
            guard isEnabled else { return nil }
            if scalesItself, state.factor != givenVolume { return .volume(state.factor) }
            if let work = dueBlock(takes) { return work }
            if takes, !isLive, let first = state.queue.first, let moment = state.due.moment(of: first.start) {
                again = moment
            }
            return nil
        } ?? .idle
    }

    /// The next block that may be written: any for live outputs, one that is heard for the others.
    private static func dueBlock(
        _ state: inout OutputThread.State, _ isLive: Bool, _ isPerishable: Bool, _ isAsked: Bool, at now: Nanoseconds
    ) -> Work? {
        if isPerishable { discardLate(&state, at: now) }
        if isAsked, !state.unwritten.isEmpty { return .block(state.unwritten.removeFirst(), tenure: -1) }
        guard isAsked, let first = state.queue.first else { return nil }
        guard isLive ? !state.isClosing : first.start < state.due.place(at: now) else { return nil }
        return state.takeBlock().map { .block($0, tenure: state.tenure) }
    }

    /// After a wait, as for a server that doesn't answer, old sound would only delay what follows.
    private static func discardLate(_ state: inout OutputThread.State, at now: Nanoseconds) {
        guard state.due.place != .max else { return }
        let due = state.due.place(at: now)
        while let first = state.queue.first, first.end < due - latest {
            state.queue.removeFirst()
            state.report.queued -= first.duration
        }
    }

    private static let latest: Nanoseconds = .seconds(2)

    private func enable() {
        isEnabled = true
        retries.begin()
        do throws(OutputProblem) { try driver.prepare() } catch { fail(error) }
    }

    /// Whether it is to be open even before anything plays.
    private var staysOpen: Bool { isEnabled && output.specification.isAlwaysOn && driver.takesSilence }

    private func open(_ layout: SampleLayout) throws(OutputProblem) {
        guard !isOpen else { return }
        try driver.open(layout)
        isOpen = true
        channels.forget()
        if scalesItself { setVolume(output.state.withLock { $0.factor }) }
        silence.begin(at: output.clock.now)
    }

    private func take(_ block: SampleBlock, _ tenure: Int) {
        defer {
            output.state.update { state in
                if state.tenure == tenure { state.report.takenTo = max(state.report.takenTo, block.end) }
            }
        }
        guard isOpen || retries.isDue(at: output.clock.now) else { return }
        lastUse = output.clock.now
        goOnBehindEnd()
        do throws(OutputProblem) {
            try open(block.layout)
            var written = block.isDoP ? marked(block) : scaled(block)
            if output.isLive { watchForUnderrun(&written) }
            try driver.write(written)
            noteCompromise()
            // As it came: what is given once more is filtered, scaled and marked anew.
            if output.isLive { unplayed.note(block) }
            if output.specification.replayGainHandler == .mixer { gains.note(block) }
            form = (written.layout, written.isDoP, written.end)
            silence.heard(block.duration, at: output.clock.now)
            works()
        } catch { fail(error) }
    }

    /// Says once that the device gets another format than it was to.
    private func noteCompromise() {
        guard driver.compromise != compromise else { return }
        compromise = driver.compromise
        guard let compromise else { return }
        output.log.warning("Output \"\(output.specification.name)\" \(compromise)")
    }

    /// The block with the volume applied, which changes smoothly within sound that goes on and else at once.
    private func scaled(_ block: SampleBlock) -> SampleBlock {
        var block = block
        block.choose(plain: output.specification.replayGainHandler != .software)
        channels.arrange(&block, for: driver)
        let (filters, envelope) = output.state.withLock { ($0.attributes.filters, $0.envelope) }
        filtered.apply(filters, to: &block)
        envelope.apply(to: &block)
        guard output.specification.mixerType == .software, !driver.scalesItself else { return block }
        volume.apply(output.state.withLock { $0.factor }, to: &block)
        return block
    }

    /// The block of DoP with its markers. Volume and filters don't apply; where there is to be no sound, it is silent.
    private func marked(_ block: SampleBlock) -> SampleBlock {
        guard takesDoP(block) else { return .silent(block) }
        var block = block
        let (envelope, factor) = output.state.withLock { ($0.envelope, $0.factor) }
        let isMuted = output.specification.mixerType == .software && factor == 0
        marking.mark(&block) { [block] frame in
            isMuted || envelope.isFading(at: block.start + block.layout.length(frames: frame))
        }
        return block
    }

    /// Whether the device gets DoP as it is; the engine hears of it if it doesn't.
    private func takesDoP(_ block: SampleBlock) -> Bool {
        let sound = AudioFormat(sampleRate: block.layout.rate * 2, sample: .dsd, channels: block.layout.channels)
        // Sound that was mixed before the formats changed is played as it is.
        let goesOn = form.isDoP && form.layout == block.layout && form.end == block.start
        guard specification.takesDSD(sound) || goesOn else { return false }
        if driver.takesDoP(block.layout) { return true }
        let isNew = output.state.withLock { $0.report.refusedDoP.insert(sound).inserted }
        guard isNew else { return false }
        let reason =
            specification.takesDoP(sound)
            ? "no 24 or 32 bits at \(block.layout.rate) Hz in \(sound.channels) channels, as DoP needs them"
            : "no DSD of that rate in \(sound.channels) channels"
        output.log.warning(
            "Output \"\(output.specification.name)\" gets \(sound.wireText) as PCM: the device takes \(reason)")
        output.state.withLock { $0.tellOwner }()
        return false
    }

    /// Whether the open device applies the volume that clients set.
    private var scalesItself: Bool { isOpen && driver.scalesItself && output.specification.mixerType == .software }

    private func setVolume(_ factor: Float) {
        driver.setVolume(factor)
        givenVolume = factor
    }

    private func pollDriver() {
        do throws(OutputProblem) {
            if !isOpen, staysOpen, retries.isDue(at: output.clock.now) { try open(form.layout) }
            guard isOpen else { return }
            try driver.poll()
            if driver.takesSilence, let length = silence.missing(at: output.clock.now) {
                try driver.write(silent(length))
            }
        } catch { return fail(error) }
        if checkIdleness() { return closeDriver() }
        guard output.isLive else { return }
        countGapOfDevice()
        if let ringsOutUntil, output.clock.now > ringsOutUntil { endRinging() }
        let playedTo = driver.playedTo
        unplayed.forget(before: playedTo)
        if mustExchange { return exchangeDriver() }
        if mustCloseInPause { return closeInPause() }
        if let gain = gains.due(at: playedTo) { setGain(gain) }
        output.state.withLock { state in
            guard state.epoch == epoch, !state.isStalled else { return }
            // One that has played all it was given waits for more; it doesn't stall.
            let isDry = state.queue.isEmpty && playedTo.map { $0 >= state.report.takenTo } ?? false
            state.report.notePlace(playedTo, isDry: isDry, at: output.clock.now)
        }
    }

    private func silent(_ length: Nanoseconds) -> SampleBlock {
        guard form.isDoP else { return .silence(length, form.layout) }
        var block = SampleBlock.silenceOfDSD(length, form.layout)
        marking.mark(&block) { _ in true }
        return block
    }

    /// Gives ReplayGain's factor to the device; without ReplayGain the volume counts alone.
    private func setGain(_ gain: Float?) {
        let usual = Gain.volume(factor: output.state.withLock { $0.volume })
        output.mixer?.setGain(gain ?? 1, usual: usual)
    }

    private func works() {
        let playedTo = driver.playedTo
        guard !output.isLive || playedTo != nil, !output.state.withLock({ $0.isStalled }) else { return }
        retries.begin()
        report(nil, playedTo: playedTo)
    }

    func fail(_ problem: OutputProblem) {
        closeDriver()
        retries.failed(at: output.clock.now)
        report(problem)
    }

    /// Says that the output plays or doesn't. One that plays again has its place at the same moment: without it, it
    /// would count as one that has waited since before the problem, and be taken out of play once more.
    private func report(_ problem: OutputProblem?, playedTo: Nanoseconds? = nil) {
        let isNew = output.state.withLock { state in
            if problem != nil {
                state.report.playedTo = nil
            } else if state.report.problem != nil, state.epoch == epoch, !state.isStalled {
                state.report.notePlace(playedTo, isDry: false, at: output.clock.now)
            }
            defer { state.report.problem = problem?.message }
            guard state.report.problem != problem?.message else { return false }
            if problem != nil { state.report.failures += 1 }
            return true
        }
        guard isNew else { return }
        if let problem {
            output.log.warning("Output \"\(output.specification.name)\" doesn't play: \(chain: problem)")
        } else {
            output.log.info("Output \"\(output.specification.name)\" plays")
        }
        output.state.withLock { $0.tellOwner }()
    }

    func closeDriver() {
        if isOpen { driver.close() }
        (isOpen, ringsOutUntil) = (false, nil)
        underruns.interrupt()
        if !isPaused { unplayed.forget() }
        output.state.withLock { state in
            state.report.playedTo = nil
            // With nothing to play it waits for nothing.
            if state.queue.isEmpty { state.report.waitingSince = nil }
        }
    }
}
