import AudioOutputs
import Coordination
import MusicModel
import Playback

/// The messages for the engine's thread: calls from outside, and news from decks and outputs.
enum EngineCommand: Sendable {
    case start(EngineTrack, at: Duration, isPaused: Bool)
    case prepareNext(EngineTrack?)
    case seek(Duration)
    case setPaused(Bool)
    case stop
    case set(EngineOption)
    case outputsChanged
    /// An output is to play for the engine with that mailbox from now on.
    case release(OutputThread, to: Mailbox<EngineCommand>)
    /// An output that another engine let go.
    case adopt(OutputThread)
    case shutDown(@Sendable () -> Void)
    /// A song's bytes are there, or can't be had.
    case opened(deck: Int, Result<TrackFile, TrackError>)
    /// Streams to keep ready, by URL.
    case keepReady([String])
    /// Streams that wait are to be tried again at once.
    case networkIsBack
    /// The streams that a stream's playlist names; nil where there is no playlist.
    case resolved(deck: Int, [String]?)
    case tagged(EngineTrack.Source, [TagValue])
    case deck(Int, DeckEvent)
}

/// The state that the engine's thread shows to others.
struct EngineDisplay: Sendable {
    /// The progress at the moment `since`.
    var progress: EngineProgress?
    /// The moment, on the engine's clock.
    var since: Nanoseconds = .zero
    /// How long it surely continues from there without a break.
    var lasts: Nanoseconds = .zero
    /// How fast the track continues meanwhile.
    var speed = 1.0

    /// The progress of the track that is heard at a moment.
    func progress(at now: Nanoseconds) -> EngineProgress? {
        guard var progress, lasts > .zero else { return progress }
        let passed = max(.zero, min(lasts, now - since)).duration * speed
        progress.elapsed += passed
        progress.heard += passed
        return progress
    }
}
