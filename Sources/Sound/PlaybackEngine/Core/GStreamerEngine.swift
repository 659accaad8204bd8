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
    package enum Pacing: Sendable {
        /// Outputs or the system's clock set the speed.
        case realTime
        /// As fast as the outputs take it; for tests.
        case fast
    }

    package let events: AsyncStream<AudioEngineEvent>
    private let commands = Mailbox<EngineCommand>()
    private let display = Monitor(EngineDisplay())
    private let slots: Monitor<OutputSlots>
    private let clock: any EngineClock
    let continuation: AsyncStream<AudioEngineEvent>.Continuation

    /// Starts bringing GStreamer up in the background; `log` never gets a URL.
    /// - Parameter outputFormat: what outputs get without a format of their own; unknown parts keep the song's.
    package init(
        outputs: [OutputSpecification], provider: any TrackProvider, log: Logger,
        clock: any EngineClock = .monotonic, pacing: Pacing = .realTime,
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
                fades: fades, radio: radio, memoryBudget: memoryBudget)
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

    private static let isWarmingUp: Bool = {
        guard GStreamerLibrary.failure == nil else { return false }
        return BlockingThread.start("warm-up") { GStreamerLibrary.warmUp() }
    }()

    package func start(_ track: EngineTrack, at position: Duration, paused: Bool) {
        commands.post(.start(track, at: position, isPaused: paused))
    }

    package func prepareNext(_ track: EngineTrack?) { commands.post(.prepareNext(track)) }
    package func keepReady(streams: [String]) { commands.post(.keepReady(streams)) }
    package func networkIsBack() { commands.post(.networkIsBack) }
    package func seek(to position: Duration) { commands.post(.seek(position)) }
    package func setPaused(_ isPaused: Bool) { commands.post(.setPaused(isPaused)) }
    package func stop() { commands.post(.stop) }
    package func set(_ option: EngineOption) { commands.post(.set(option)) }
    package func setMixers(_ volume: Int) { for mixer in slots.withLock({ $0.mixers }) { mixer.setVolume(volume) } }
    package func volume(software: Int) -> Int { slots.withLock { $0.volume(software: software) } }
    package var progress: EngineProgress? { display.withLock { $0.progress(at: clock.now) } }
    package var outputs: [OutputStatus] { slots.withLock { $0.statuses() } }

    package func setOutput(_ id: Int, enabled: Bool) {
        if slots.withLock({ $0.setEnabled(id, enabled) }) { commands.post(.outputsChanged) }
    }

    package func checkOutput(_ id: Int, attribute: String, value: String) async throws(OutputAttributeError) {
        guard let output = slots.withLock({ $0.output(id) }) else { return }
        try await output.check(attribute, value)
    }

    package func setOutput(_ id: Int, attribute: String, to value: String) throws(OutputAttributeError) {
        try slots.withLock { $0 }.set(id, attribute: attribute, to: value)
    }

    package func moveOutput(named name: String, to other: any AudioEngine) {
        guard let other = other as? GStreamerEngine, other !== self else { return }
        guard let taken = slots.withLock({ $0.take(name) }) else { return }
        other.slots.withLock { $0.take(in: taken) }
        let destination = other.commands
        taken.setOwner { destination.post(.outputsChanged) }
        commands.post(.release(taken, to: destination))
    }

    package func shutDown() async {
        await withCheckedContinuation { finished in
            if !commands.post(.shutDown({ finished.resume() })) { finished.resume() }
        }
    }
}
