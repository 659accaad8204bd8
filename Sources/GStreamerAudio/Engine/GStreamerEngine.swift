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
    private let threads: [OutputThread]
    private let continuation: AsyncStream<AudioEngineEvent>.Continuation

    /// Makes an engine and starts bringing GStreamer up in the background.
    ///
    /// - Parameters:
    ///   - outputs: the outputs, in the order in which clients see them.
    ///   - provider: opens songs.
    ///   - log: gets what goes wrong with outputs; never a URL.
    public convenience init(outputs: [OutputSpecification], provider: any TrackProvider, log: Logger) {
        self.init(outputs: outputs, provider: provider, log: log, pacing: .realTime)
    }

    init(
        outputs: [OutputSpecification], provider: any TrackProvider, log: Logger, pacing: Pacing,
        retryMilliseconds: Int = 500
    ) {
        (events, continuation) = AsyncStream.makeStream(of: AudioEngineEvent.self)
        let commands = commands
        threads = outputs.map { specification in
            OutputThread(specification, log: log, retryMilliseconds: retryMilliseconds) {
                commands.post(.outputsChanged)
            }
        }
        let (threads, display, continuation) = (threads, display, continuation)
        BlockingThread.start("engine") {
            if GStreamerLibrary.failure == nil { BlockingThread.start("warm-up") { GStreamerLibrary.warmUp() } }
            let core = EngineCore(
                commands: commands, display: display, events: continuation, outputs: threads, provider: provider,
                log: log,
                pacing: pacing)
            core.run()
        }
    }

    deinit { commands.post(.shutDown({})) }

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

    /// Sets the ReplayGain mode.
    public func setReplayGainMode(_ mode: String) { commands.post(.setReplayGainMode(mode)) }

    /// What is being heard now, or nil.
    public var progress: EngineProgress? { display.withLock { $0.progress } }

    /// The outputs, in the order of the configuration.
    public var outputs: [OutputStatus] {
        threads.enumerated().map { index, thread in
            let report = thread.report
            let specification = thread.specification
            return OutputStatus(
                id: index, name: specification.name, plugin: specification.type.rawValue, isEnabled: report.isEnabled,
                problem: report.problem)
        }
    }

    /// Enables or disables an output.
    public func setOutput(_ id: Int, enabled: Bool) {
        guard threads.indices.contains(id), threads[id].setEnabled(enabled) else { return }
        commands.post(.outputsChanged)
    }

    /// Stops everything, finishes files and closes devices; takes at most about a second and a half.
    public func shutDown() async {
        await withCheckedContinuation { finished in
            commands.post(.shutDown({ finished.resume() }))
        }
    }
}
