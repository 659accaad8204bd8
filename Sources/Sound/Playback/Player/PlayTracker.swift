import MusicModel

/// Follows what is heard and reports it to what records plays.
struct PlayTracker: Sendable {
    private struct Active {
        var play: UInt64
        var song: SongID
        var heard: Duration
        var elapsed: Duration
    }

    /// The engine reports about once a second; more than this can't be missing at a song's end.
    private static let maxGap = Duration.milliseconds(1500)

    private var active: Active?

    private var ended = Duration.zero

    /// How much has been heard since the start, over all plays.
    var total: Duration { ended + (active?.heard ?? .zero) }

    /// The play that is being followed.
    var play: UInt64? { active?.play }

    /// A play is heard now; `time` is in Unix milliseconds. Streams (no song) aren't followed.
    mutating func start(_ play: UInt64, _ song: SongID?, at time: Int64) -> [PlaybackEvent] {
        guard active?.play != play else { return [] }
        let ended = end()
        guard let song else { return ended }
        active = Active(play: play, song: song, heard: .zero, elapsed: .zero)
        return ended + [.started(play: play, song: song, at: time)]
    }

    /// Notes how much has been heard.
    mutating func progress(_ reading: EngineProgress) -> [PlaybackEvent] {
        guard var now = active, now.play == reading.play else { return [] }
        now.elapsed = reading.elapsed
        let grew = reading.heard > now.heard
        now.heard = max(now.heard, reading.heard)
        active = now
        return grew ? [.heard(play: now.play, song: now.song, total: now.heard)] : []
    }

    /// It is at this position, after a pause or a seek.
    func moved(to place: Duration, isPaused: Bool) -> [PlaybackEvent] {
        active.map { [.moved(play: $0.play, song: $0.song, place: place, isPaused: isPaused)] } ?? []
    }

    /// The play is over. After a natural end, `duration` lets what came after the last report count as well.
    mutating func end(duration: Duration? = nil) -> [PlaybackEvent] {
        guard var last = active else { return [] }
        active = nil
        let missing = (duration ?? .zero) - last.elapsed
        if missing > .zero, missing <= Self.maxGap { last.heard += missing }
        ended += last.heard
        return [
            .heard(play: last.play, song: last.song, total: last.heard),
            .ended(play: last.play, song: last.song),
        ]
    }
}
