import AudioFiles
import AudioOutputs
package import Coordination
package import Logging
package import MusicModel
package import Outputs
package import Playback

/// The audio engine on GStreamer: decks decode, a mixer thread joins and scales, outputs play.
///
/// Nothing here blocks: calls go to the engine's own thread, which also brings GStreamer up.
/// - Isolation: any thread.
package final class GStreamerEngine: AudioEngine {
    /// How time passes for the engine.
    enum Pacing: Sendable {
        /// Outputs or the system's clock set the speed.
        case realTime
        /// As fast as the outputs take it; for tests.
        case fast
    }

    /// Events for one consumer.
    package let events: AsyncStream<AudioEngineEvent>
    private let commands = Mailbox<EngineCommand>()
    private let display = Monitor(EngineDisplay())
    private let slots: Monitor<OutputSlots>
    private let clock: any EngineClock
    let continuation: AsyncStream<AudioEngineEvent>.Continuation

    /// Makes an engine and starts bringing GStreamer up in the background.
    ///
    /// - Parameters:
    ///   - outputs: the outputs, in the order in which clients see them.
    ///   - provider: opens songs.
    ///   - replayGain: how ReplayGain is applied.
    ///   - outputFormat: what outputs get that have no format of their own; parts that are unknown keep the song's.
    ///   - fades: how music fades where listeners interrupt it.
    ///   - radio: how internet radio plays.
    ///   - memoryBudget: hears of decks; while memory is short, streams that only wait for their turn are closed.
    ///   - clock: the time that music, its outputs and attempts go by.
    ///   - log: gets what goes wrong with outputs; never a URL.
    package convenience init(
        outputs: [OutputSpecification], provider: any TrackProvider,
        replayGain: ReplayGainSettings = ReplayGainSettings(), outputFormat: AudioFormat? = nil,
        fades: FadeSettings = FadeSettings(), radio: RadioSettings = RadioSettings(),
        memoryBudget: MemoryBudget = .unlimited, clock: any EngineClock = .monotonic, log: Logger
    ) {
        self.init(
            outputs: outputs, provider: provider, log: log, clock: clock, pacing: .realTime, replayGain: replayGain,
            outputFormat: outputFormat, fades: fades, radio: radio, memoryBudget: memoryBudget)
    }

    init(
        outputs: [OutputSpecification], provider: any TrackProvider, log: Logger,
        clock: any EngineClock = .monotonic, pacing: Pacing,
        retryMilliseconds: Int = 500, replayGain: ReplayGainSettings = ReplayGainSettings(),
        outputFormat: AudioFormat? = nil, fades: FadeSettings = FadeSettings(),
        radio: RadioSettings = RadioSettings(), memoryBudget: MemoryBudget = .unlimited
    ) {
        (events, continuation) = AsyncStream.makeStream(of: AudioEngineEvent.self)
        let commands = commands
        let threads = outputs.map { specification in
            OutputThread(
                specification.filled(outputFormat), log: log, clock: clock, retryMilliseconds: retryMilliseconds
            ) { commands.post(.outputsChanged) }
        }
        slots = Monitor(OutputSlots(threads))
        self.clock = clock
        let (display, continuation) = (display, continuation)
        WebSources.use(radio.proxy)
        let isStarted = clock.startThread("engine") {
            _ = Self.isWarmingUp
            let core = EngineCore(
                commands: commands, display: display, events: continuation, outputs: threads, provider: provider,
                log: log, clock: clock, pacing: pacing, replayGain: replayGain, outputFormat: outputFormat,
                fades: fades,
                radio: radio, memoryBudget: memoryBudget)
            core.run()
            Self.end(commands)
        }
        memoryBudget.register(self, .fetched) { $0.keepReady(streams: []) }
        guard !isStarted else { return }
        log.critical("Nothing plays: \(BlockingThread.missing)")
        threads.forEach { $0.close() }
        continuation.finish()
        Self.end(commands)
    }

    /// Commands are no longer taken: tasks that wait for an end are told.
    private static func end(_ commands: Mailbox<EngineCommand>) {
        for case .shutDown(let finished) in commands.close() { finished() }
    }

    deinit { commands.post(.shutDown({})) }

    /// Loads the usual plug-ins in the background, once for all engines.
    private static let isWarmingUp: Bool = {
        guard GStreamerLibrary.failure == nil else { return false }
        return BlockingThread.start("warm-up") { GStreamerLibrary.warmUp() }
    }()

    /// Plays a track at once.
    package func start(_ track: EngineTrack, at position: Duration, paused: Bool) {
        commands.post(.start(track, at: position, isPaused: paused))
    }

    /// Sets what joins on.
    package func prepareNext(_ track: EngineTrack?) { commands.post(.prepareNext(track)) }

    /// Keeps streams ready to play at once.
    package func keepReady(streams: [String]) { commands.post(.keepReady(streams)) }
    /// Connects at once to streams that wait before they are tried again.
    package func networkIsBack() { commands.post(.networkIsBack) }

    /// Moves within the current track.
    package func seek(to position: Duration) { commands.post(.seek(position)) }

    /// Pauses or continues.
    package func setPaused(_ isPaused: Bool) { commands.post(.setPaused(isPaused)) }

    /// Falls silent and discards the tracks.
    package func stop() { commands.post(.stop) }

    /// Follows an option.
    package func set(_ option: EngineOption) { commands.post(.set(option)) }

    /// Sets the outputs' own mixers, 0 to 100.
    package func setMixers(_ volume: Int) {
        for mixer in slots.withLock({ $0.mixers }) { mixer.setVolume(volume) }
    }

    /// The average volume of all outputs that have one.
    package func volume(software: Int) -> Int { slots.withLock { $0.volume(software: software) } }

    /// The progress of the track that is heard now, or nil.
    package var progress: EngineProgress? { display.withLock { $0.progress(at: clock.now) } }

    /// The outputs, in the order of the configuration; after them the devices that they feed and those that came from
    /// another engine, in the order in which they came.
    package var outputs: [OutputStatus] { slots.withLock { $0.statuses() } }

    /// Enables or disables an output.
    package func setOutput(_ id: Int, enabled: Bool) {
        if slots.withLock({ $0.setEnabled(id, enabled) }) { commands.post(.outputsChanged) }
    }

    /// Finds out whether plug-ins that a value names are installed and take what it sets.
    ///
    /// - Throws: `OutputAttributeError.refused` with the first that is wrong.
    package func checkOutput(_ id: Int, attribute: String, value: String) async throws(OutputAttributeError) {
        guard let output = slots.withLock({ $0.output(id) }) else { return }
        try await output.check(attribute, value)
    }

    /// Sets a run-time attribute of an output.
    ///
    /// - Throws: `OutputAttributeError` when the output has no such attribute, or not with that value.
    package func setOutput(_ id: Int, attribute: String, to value: String) throws(OutputAttributeError) {
        try slots.withLock { $0 }.set(id, attribute: attribute, to: value)
    }

    /// Hands an output over to another engine without interrupting either.
    package func moveOutput(named name: String, to other: any AudioEngine) {
        guard let other = other as? GStreamerEngine, other !== self else { return }
        guard let taken = slots.withLock({ $0.take(name) }) else { return }
        other.slots.withLock { $0.take(in: taken) }
        let destination = other.commands
        taken.setOwner { destination.post(.outputsChanged) }
        commands.post(.release(taken, to: destination))
    }

    /// Stops everything, finishes files and closes devices; takes at most about a second and a half, or two and a half
    /// where a recording is still being completed. It can be asked for several times.
    package func shutDown() async {
        await withCheckedContinuation { finished in
            if !commands.post(.shutDown({ finished.resume() })) { finished.resume() }
        }
    }
}
