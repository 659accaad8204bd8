import AudioOutputs
import Coordination
import MusicModel
import Playback

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
    case opened(deck: Int, Result<TrackFile, TrackError>)
    case keepReady([String])
    case networkIsBack
    /// The streams that a stream's playlist names; nil where there is no playlist.
    case resolved(deck: Int, [String]?)
    case tagged(EngineTrack.Source, [TagValue])
    case deck(Int, DeckEvent)
}

struct EngineDisplay: Sendable {
    var progress: EngineProgress?
    var since: Nanoseconds = .zero
    /// How long it surely continues from there without a break.
    var lasts: Nanoseconds = .zero
    var speed = 1.0

    func progress(at now: Nanoseconds) -> EngineProgress? {
        guard var progress, lasts > .zero else { return progress }
        let passed = max(.zero, min(lasts, now - since)).duration * speed
        progress.elapsed += passed
        progress.heard += passed
        return progress
    }
}
