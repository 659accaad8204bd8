public import Logging
public import Playback

/// The audio engine on GStreamer: decks decode, a mixer thread joins and scales, outputs play.
///
/// Nothing here blocks: calls go to the engine's own thread, which also brings GStreamer up.
/// - Isolation: any thread.
public final class GStreamerEngine: AudioEngine {
    /// How time passes for the engine.
    enum Pacing: Sendable {
        /// Outputs or the system's clock set the speed.
        case realTime
        /// As fast as the outputs take it; for tests.
        case fast
    }

    /// What happens, for one consumer.
    public let events: AsyncStream<AudioEngineEvent>
    private let commands = Mailbox<EngineCommand>()
    private let display = Monitor(EngineDisplay())
    private let slots: Monitor<[OutputSlot]>
    private let continuation: AsyncStream<AudioEngineEvent>.Continuation

    /// Makes an engine and starts bringing GStreamer up in the background.
    ///
    /// - Parameters:
    ///   - outputs: the outputs, in the order in which clients see them.
    ///   - provider: opens songs.
    ///   - replayGain: how ReplayGain is applied.
    ///   - log: gets what goes wrong with outputs; never a URL.
    public convenience init(
        outputs: [OutputSpecification], provider: any TrackProvider,
        replayGain: ReplayGainSettings = ReplayGainSettings(), log: Logger
    ) {
        self.init(outputs: outputs, provider: provider, log: log, pacing: .realTime, replayGain: replayGain)
    }

    init(
        outputs: [OutputSpecification], provider: any TrackProvider, log: Logger, pacing: Pacing,
        retryMilliseconds: Int = 500, replayGain: ReplayGainSettings = ReplayGainSettings()
    ) {
        (events, continuation) = AsyncStream.makeStream(of: AudioEngineEvent.self)
        let commands = commands
        let threads = outputs.map { specification in
            OutputThread(specification, log: log, retryMilliseconds: retryMilliseconds) {
                commands.post(.outputsChanged)
            }
        }
        slots = Monitor(threads.map { OutputSlot(name: $0.specification.name, thread: $0) })
        let (display, continuation) = (display, continuation)
        BlockingThread.start("engine") {
            _ = Self.isWarmingUp
            let core = EngineCore(
                commands: commands, display: display, events: continuation, outputs: threads, provider: provider,
                log: log, pacing: pacing, replayGain: replayGain)
            core.run()
        }
    }

    deinit { commands.post(.shutDown({})) }

    /// Loads the usual plug-ins in the background, once for all engines.
    private static let isWarmingUp: Bool = {
        guard GStreamerLibrary.failure == nil else { return false }
        BlockingThread.start("warm-up") { GStreamerLibrary.warmUp() }
        return true
    }()

    /// Plays a track at once.
    public func start(_ track: EngineTrack, at position: Duration, paused: Bool) {
        commands.post(.start(track, at: position, isPaused: paused))
    }

    /// Sets what joins on.
    public func prepareNext(_ track: EngineTrack?) { commands.post(.prepareNext(track)) }

    /// Moves within the current track.
    public func seek(to position: Duration) { commands.post(.seek(position)) }

    /// Pauses or goes on.
    public func setPaused(_ isPaused: Bool) { commands.post(.setPaused(isPaused)) }

    /// Falls silent and drops the tracks.
    public func stop() { commands.post(.stop) }

    /// Sets the software mixer, 0 to 100.
    public func setVolume(_ volume: Int) { commands.post(.setVolume(volume)) }

    /// Sets seconds of overlap between songs.
    public func setCrossfade(_ seconds: Int) { commands.post(.setCrossfade(seconds)) }

    /// Sets how songs overlap by their MixRamp tags.
    public func setMixRamp(threshold: Double, delay: Double?) {
        commands.post(.setMixRamp(threshold: threshold, delay: delay))
    }

    /// Sets the ReplayGain mode.
    public func setReplayGainMode(_ mode: String) { commands.post(.setReplayGainMode(mode)) }

    /// What is being heard now, or nil.
    public var progress: EngineProgress? { display.withLock { $0.progress } }

    /// The outputs, in the order of the configuration; those that came from another engine are last.
    public var outputs: [OutputStatus] {
        slots.withLock { $0 }.enumerated().map { id, slot in slot.status(id: id) }
    }

    /// Enables or disables an output.
    public func setOutput(_ id: Int, enabled: Bool) {
        let isChanged = slots.withLock { slots in
            slots.indices.contains(id) && slots[id].setEnabled(enabled)
        }
        if isChanged { commands.post(.outputsChanged) }
    }

    /// Hands an output over to another engine without interrupting either.
    public func moveOutput(named name: String, to other: any AudioEngine) {
        guard let other = other as? GStreamerEngine, other !== self else { return }
        let taken = slots.withLock { slots -> OutputThread? in
            guard let index = slots.firstIndex(where: { $0.name == name && $0.thread != nil }) else { return nil }
            defer { slots[index] = OutputSlot(name: name, thread: nil) }
            return slots[index].thread
        }
        guard let taken else { return }
        other.slots.withLock { slots in
            if let index = slots.firstIndex(where: { $0.name == name }) {
                slots[index].thread = taken
            } else {
                slots.append(OutputSlot(name: name, thread: taken))
            }
        }
        let destination = other.commands
        taken.setOwner { destination.post(.outputsChanged) }
        commands.post(.release(taken, to: destination))
    }

    /// Stops everything, finishes files and closes devices; takes at most about a second and a half.
    public func shutDown() async {
        await withCheckedContinuation { finished in
            commands.post(.shutDown({ finished.resume() }))
        }
    }
}

/// A place in an engine's list of outputs.
private struct OutputSlot: Sendable {
    let name: String
    /// The output; nil while it plays for another engine.
    var thread: OutputThread?
    /// What clients set while there was no output.
    private var isEnabled = false

    init(name: String, thread: OutputThread?) {
        self.name = name
        self.thread = thread
    }

    /// What `outputs` lists.
    ///
    /// - Source: MPD v0.24.13 src/output/Control.cxx, whose outputs that were moved away are `dummy` ones.
    func status(id: Int) -> OutputStatus {
        guard let thread else {
            return OutputStatus(id: id, name: name, plugin: "dummy", isEnabled: isEnabled, isMovedAway: true)
        }
        let report = thread.report
        return OutputStatus(
            id: id, name: name, plugin: thread.specification.type.rawValue, isEnabled: report.isEnabled,
            problem: report.problem)
    }

    mutating func setEnabled(_ enabled: Bool) -> Bool {
        if let thread { return thread.setEnabled(enabled) }
        defer { isEnabled = enabled }
        return isEnabled != enabled
    }
}
