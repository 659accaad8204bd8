import Coordination
import Playback

/// Tells the player of the engine: events in their order, and a display of the progress that any thread may read.
struct EngineReports {
    private let display: Monitor<EngineDisplay>
    private let events: AsyncStream<AudioEngineEvent>.Continuation

    init(display: Monitor<EngineDisplay>, events: AsyncStream<AudioEngineEvent>.Continuation) {
        (self.display, self.events) = (display, events)
    }

    /// Tells the player something.
    func emit(_ event: AudioEngineEvent) { events.yield(event) }

    /// Shows where the track is.
    func show(_ shown: EngineDisplay) { display.withLock { $0 = shown } }

    /// Shows that no track plays.
    func showNothing() { display.withLock { $0.progress = nil } }

    /// Ends the events.
    func finish() {
        showNothing()
        events.finish()
    }
}
