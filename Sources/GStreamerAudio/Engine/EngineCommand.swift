import Playback

/// What the engine's thread is told: calls from outside, and news from decks and outputs.
enum EngineCommand: Sendable {
    case start(EngineTrack, at: Duration, isPaused: Bool)
    case prepareNext(EngineTrack?)
    case seek(Duration)
    case setPaused(Bool)
    case stop
    case setVolume(Int)
    case setCrossfade(Int)
    case setMixRamp(threshold: Double, delay: Double?)
    case setReplayGainMode(String)
    case outputsChanged
    /// An output is to play for the engine with that mailbox from now on.
    case release(OutputThread, to: Mailbox<EngineCommand>)
    /// An output that another engine let go.
    case adopt(OutputThread)
    case shutDown(@Sendable () -> Void)
    /// A song's bytes are there, or can't be had.
    case opened(deck: Int, Result<TrackFile, TrackError>)
    /// News from a deck.
    case deck(Int, DeckEvent)
}

/// What the engine's thread shows to others.
struct EngineDisplay: Sendable {
    /// What is being heard.
    var progress: EngineProgress?
}
