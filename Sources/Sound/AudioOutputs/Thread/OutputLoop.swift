import AudioFiles
import CSound
import Coordination
import Logging
import MusicModel
import Outputs

/// The loop of an output's thread. It is a class of its own because only that thread may touch it.
final class OutputLoop {
    private enum Step {
        case command(OutputCommand)
        case block(SampleBlock, tenure: Int)
        case idle
    }

    enum Device: Equatable {
        case disabled
        /// The next sound opens it.
        case closed
        case open
        /// It plays its rest after the end of the music.
        case ringsOut(until: Nanoseconds)
        /// It plays its rest, and a driver for other formats follows.
        case leaves(by: Nanoseconds)
    }

    typealias DriverMaker = @Sendable (OutputSpecification) -> any OutputDriver
    let output: OutputThread
    let make: DriverMaker
    var specification: OutputSpecification
    var driver: any OutputDriver
    var device = Device.disabled
    var pausedSince: Nanoseconds?
    private var retries: DeviceRetries
    var lastUse: Nanoseconds
    private var volume = BlockVolume()
    /// The sound that the device has and hasn't played, for the time after it was closed in a pause.
    var unplayed = UnplayedSound()
    private var silence = SilenceFiller()
    var channels: OutputChannels
    private var filtered: FilteredSound
    private var marking = DoPMarking()
    private var gains = MixerGains()
    var underruns = UnderrunWatch()
    private var compromise: String?
    /// The form of the sound before, which silence has to have too.
    private var form = (layout: SampleLayout(rate: 44100, channels: 2), isDoP: false, end: SampleBlock.nowhere)

    init(_ output: OutputThread, _ make: @escaping DriverMaker) {
        self.output = output
        self.make = make
        specification = output.specification
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
            case .command(.close): return end()
            case .command(let command): carryOut(command)
            case .block(let block, let tenure): take(block, tenure)
            case .idle: break
            }
            pollDriver()
        }
    }

    var isPaused: Bool { pausedSince != nil }
    private var isEnabled: Bool { device != .disabled }
    var isOpen: Bool { isEnabled && device != .closed }
    var isLeaving: Bool { if case .leaves = device { true } else { false } }

    private func next() -> Step {
        // A closed device can sleep until its state changes.
        var milliseconds = isOpen ? driver.restMilliseconds : staysOpen ? 500 : 3_600_000
        if isLeaving { milliseconds = min(5, milliseconds) }
        let (isPerishable, isEnabled, isLive) = (driver.isPerishable, isEnabled, output.isLive)
        // A device that was closed in a pause stays closed until that ends.
        let takes = isOpen ? !isLeaving && driver.wantsMore : !isPaused || !output.isLive
        let clock = output.clock
        return output.state.wait(milliseconds: milliseconds, by: clock) { state, again in
            let now = clock.now
            if isPerishable { state.queue.discardLate(at: now) }
            func block() -> Step? {
                state.queue.take(at: now, isClosing: state.commands.isClosing).map {
                    .block($0.block, tenure: $0.tenure)
                }
            }
            switch state.commands.next {
            case .close? where isEnabled, .setEnabled(false)? where isEnabled && !isLive:
                // Sound that has been heard elsewhere is still written.
                return block() ?? state.commands.take().map(Step.command)
            case .some: return state.commands.take().map(Step.command)
            case nil:
                guard isEnabled, takes else { return nil }
                if let block = block() { return block }
                again = state.queue.nextMoment ?? again
                return nil
            }
        } ?? .idle
    }

    private func carryOut(_ command: OutputCommand) {
        switch command {
        case .setEnabled(let isEnabled) where isEnabled != self.isEnabled: isEnabled ? enable() : disable()
        case .setPaused(let isPaused) where isPaused != self.isPaused: setPaused(isPaused)
        case .flush(let discards): flush(discards: discards)
        case .adopt(let specification): adopt(specification)
        case .applyVolume: if scalesItself { driver.setVolume(output.state.withLock { $0.factor }) }
        case .stall: fail(OutputThread.stalled)
        case .setEnabled, .setPaused, .close: break
        }
    }

    private func end() {
        closeDriver()
        driver.release()
        output.state.update { $0.isGone = true }
    }

    private func disable() {
        closeDriver()
        device = .disabled
        driver.release()
        output.state.withLock { state in
            state.queue.clear()
            state.forgetPlace()
        }
    }

    private func flush(discards: Bool) {
        flushDriver(discards: discards)
        underruns.interrupt()
        filtered.flush()
        gains.flush()
        silence.rest()
    }

    private func setPaused(_ isPaused: Bool) {
        pausedSince = isPaused ? output.clock.now : nil
        // The pause is no time in which nothing played.
        lastUse = output.clock.now
        endRinging()
        if isOpen { driver.setPaused(isPaused) } else if !isPaused { expectOpening() }
        underruns.interrupt()
        if isPaused { silence.rest() }
    }

    private func enable() {
        device = .closed
        retries.begin()
        do throws(OutputProblem) { try driver.prepare() } catch { fail(error) }
    }

    private var staysOpen: Bool { isEnabled && output.specification.isAlwaysOn && driver.takesSilence }

    private func open(_ layout: SampleLayout) throws(OutputProblem) {
        guard !isOpen else { return }
        try driver.open(layout)
        device = .open
        channels.forget()
        carryOut(.applyVolume)
        silence.begin(at: output.clock.now)
    }

    private func take(_ block: SampleBlock, _ tenure: Int) {
        defer {
            output.state.update { state in
                if state.queue.tenure == tenure { state.report.takenTo = max(state.report.takenTo, block.end) }
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
            // As it came: what is given again is filtered, scaled and marked again.
            if output.isLive { unplayed.note(block) }
            if output.specification.replayGainHandler == .mixer { gains.note(block) }
            form = (written.layout, written.isDoP, written.end)
            silence.heard(block.duration, at: output.clock.now)
            works()
        } catch { fail(error) }
    }

    private func noteCompromise() {
        guard driver.compromise != compromise else { return }
        compromise = driver.compromise
        guard let compromise else { return }
        output.log.warning("Output \"\(output.specification.name)\" \(compromise)")
    }

    /// The block with the volume applied, which changes smoothly within sound that continues and else at once.
    private func scaled(_ block: SampleBlock) -> SampleBlock {
        var block = block
        block.choose(plain: output.specification.replayGainHandler != .software)
        channels.arrange(&block, for: driver)
        let (filters, envelope) = output.state.withLock { ($0.attributes.filters, $0.queue.envelope) }
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
        let (envelope, factor) = output.state.withLock { ($0.queue.envelope, $0.factor) }
        let isMuted = output.specification.mixerType == .software && factor == 0
        marking.mark(&block) { [block] frame in
            isMuted || envelope.isFading(at: block.start + block.layout.length(frames: frame))
        }
        return block
    }

    /// Tells the engine when the device doesn't get DoP as it is.
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

    private var scalesItself: Bool { isOpen && driver.scalesItself && output.specification.mixerType == .software }

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
        if case .ringsOut(let end) = device, output.clock.now > end { endRinging() }
        let playedTo = driver.playedTo
        unplayed.forget(before: playedTo)
        if mustExchange { return exchangeDriver() }
        if mustCloseInPause { return closeInPause() }
        if let gain = gains.due(at: playedTo) { setGain(gain) }
        output.state.withLock { state in
            guard state.isCurrent else { return }
            // One that has played all it was given waits for more; it doesn't stall.
            let isDry = state.queue.blocks.isEmpty && playedTo.map { $0 >= state.report.takenTo } ?? false
            state.report.notePlace(playedTo, isDry: isDry, at: output.clock.now)
        }
    }

    private func silent(_ length: Nanoseconds) -> SampleBlock {
        guard form.isDoP else { return .silence(length, form.layout) }
        var block = SampleBlock.silenceOfDSD(length, form.layout)
        marking.mark(&block) { _ in true }
        return block
    }

    private func setGain(_ gain: Float?) {
        let usual = Gain.volume(factor: output.state.withLock { $0.volume })
        output.mixer?.setGain(gain ?? 1, usual: usual)
    }

    private func works() {
        let playedTo = driver.playedTo
        guard !output.isLive || playedTo != nil, !output.state.withLock({ $0.commands.awaitsStall }) else { return }
        retries.begin()
        report(nil, playedTo: playedTo)
    }

    func fail(_ problem: OutputProblem) {
        closeDriver()
        retries.failed(at: output.clock.now)
        report(problem)
    }

    /// Says that the output plays or doesn't. One that plays again has its position at the same moment: else it would
    /// count as one that has waited since before the problem.
    private func report(_ problem: OutputProblem?, playedTo: Nanoseconds? = nil) {
        let isNew = output.state.withLock { state in
            if problem != nil {
                state.report.playedTo = nil
            } else if state.report.problem != nil, state.isCurrent {
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

    func closeDriver(givingBack rest: [SampleBlock]? = nil) {
        let isLeaving = isLeaving
        if isOpen {
            driver.close()
            device = .closed
        }
        underruns.interrupt()
        if !isPaused { unplayed.forget() }
        output.state.withLock { state in
            state.report.playedTo = nil
            // With nothing to play it waits for nothing.
            if state.queue.blocks.isEmpty { state.report.waitingSince = nil }
        }
        if let rest { giveBack(rest) }
        if isLeaving { replaceDriver() }
    }
}
