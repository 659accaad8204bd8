import Coordination
import Playback

/// How far the music is heard, and what of that the player was told.
struct Hearing {
    /// True if the music takes no time: it goes as fast as the outputs take it.
    private(set) var isUnpaced: Bool
    private let isAlwaysUnpaced: Bool
    private let clock: any EngineClock
    private var pacer: Pacer
    private var lastProgress: Nanoseconds = .zero
    private var lastStarted: UInt64?
    /// The progress that is shown until the track is heard.
    private var placeholder: EngineProgress?

    init(_ pacing: GStreamerEngine.Pacing, _ clock: any EngineClock = .monotonic) {
        self.clock = clock
        pacer = Pacer(at: clock.now)
        isAlwaysUnpaced = pacing == .fast
        isUnpaced = isAlwaysUnpaced
    }

    /// True if the pace has to change: music takes its time, unless all that plays is recorded or thrown away.
    func mustChangePace(for outputs: OutputSet) -> Bool {
        guard !isAlwaysUnpaced, isUnpaced || outputs.hasFastOnes else { return false }
        return outputs.takeNoTime != isUnpaced
    }

    mutating func changePace() {
        isUnpaced.toggle()
        pacer.restart(at: clock.now)
    }

    mutating func restartClock() { pacer.restart(at: clock.now) }

    /// Lets the timeline continue to what the outputs have played, or to a limit; gives the marks that it passes.
    mutating func advance(
        _ timeline: inout Timeline, outputs: OutputSet, until limit: Nanoseconds
    ) -> (marks: [Timeline.Mark], orders: [Pacer.Order]) {
        let pace =
            isUnpaced
            ? Pacer.Pace(heard: outputs.taken(of: timeline.produced))
            : pacer.pace(timeline, outputs.reports, at: clock.now)
        return (timeline.advance(to: min(pace.heard, limit)), pace.orders)
    }

    /// How far outputs may write; nil lets them write as fast as they can.
    func due(_ timeline: Timeline) -> Nanoseconds? { isUnpaced ? nil : timeline.heard }

    /// A play is to start, or to continue, at a position: that is shown until it is heard.
    mutating func expect(_ play: UInt64, at place: Nanoseconds, heard: Nanoseconds = .zero) {
        placeholder = EngineProgress(play: play, elapsed: place.duration, heard: heard.duration)
    }

    mutating func expectNothing() { placeholder = nil }

    /// A play's first sound is heard; gives the one before, if its end is still to be told.
    mutating func started(_ play: UInt64, _ timeline: Timeline) -> UInt64? {
        let before = lastStarted == play ? nil : lastStarted
        (lastStarted, placeholder) = (play, nil)
        lastProgress = timeline.heard
        return before
    }

    /// The sound so far counts as told, and the next second begins.
    mutating func restartProgress(_ place: Nanoseconds) { lastProgress = place }
    /// Forgets plays of which nothing is to be told any more.
    func forgetOthers(_ timeline: inout Timeline) { if let lastStarted { timeline.forget(allBut: [lastStarted]) } }

    /// How far the track that is heard has come, a second after that was told last.
    mutating func progressNowAndThen(_ timeline: Timeline) -> EngineProgress? {
        timeline.heard - lastProgress >= Self.progressInterval ? progress(timeline) : nil
    }

    private static let progressInterval: Nanoseconds = .seconds(1)

    /// How far the track that is heard has come, which counts as told.
    mutating func progress(_ timeline: Timeline) -> EngineProgress? {
        lastProgress = timeline.heard
        return Self.heard(timeline)
    }

    private static func heard(_ timeline: Timeline) -> EngineProgress? {
        guard let playing = timeline.playing, !timeline.awaitsStart(of: playing.play) else { return nil }
        return EngineProgress(
            play: playing.play, elapsed: playing.position.duration, heard: timeline.heard(of: playing.play).duration)
    }

    /// The state that others are shown.
    func display(_ timeline: Timeline, isPlaying: Bool, isPaused: Bool) -> EngineDisplay {
        let shown = (isPlaying ? Self.heard(timeline) : nil) ?? placeholder
        let goesOn = shown != nil && placeholder != shown && !isPaused && !isUnpaced
        let lasts = goesOn ? min(timeline.lead, timeline.nextMark ?? .max) : .zero
        return EngineDisplay(progress: shown, since: clock.now, lasts: lasts, speed: timeline.speed)
    }
}
