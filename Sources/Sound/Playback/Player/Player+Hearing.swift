import MusicModel
import ServerLoop

struct HeardPlay {
    let play: UInt64
    /// Nil for a stream, whose plays are not recorded.
    let song: SongID?
    /// Nil for a part of a song, in which no place is kept.
    let key: PlaceKey?
    var length: Duration?
    var heard = Duration.zero
    /// How far it was when `heard` was counted last.
    var counted = Duration.zero
    var place = Duration.zero
}

extension Player {
    /// The engine reports about once a second; more than this can't be missing at a song's end.
    private static let maxGap = Duration.milliseconds(1500)

    /// Prepares again what joins on to the current song, after `resumePoints` were set by another part.
    package func resumePointsChanged() { perform { _ in } }
    /// Says where the song is that is being heard, as if it were paused there.
    package func tellPlace() { tellPlace(.paused) }

    func follow(_ event: AudioEngineEvent) {
        switch event {
        case .progress(let play, let elapsed, let heard) where play == hearing?.play:
            count(EngineProgress(play: play, elapsed: elapsed, heard: heard))
            hearing?.place = elapsed
            tellPlace(.playing)
        case .info(let play, _, let length?, _) where play == hearing?.play: hearing?.length = length
        case .seeked(let play, _, let elapsed) where play == hearing?.play:
            hearing?.place = elapsed
            publishMove(to: elapsed, isPaused: machine.transport == .pause)
        case .finished(let play) where play == hearing?.play: endHearing(.ended)
        case .started(let play) where play == machine.prepared?.number: endHearing(.ended)
        case .failed(let play, _) where play == hearing?.play: endHearing(.left)
        default: break
        }
    }

    func beginHearing(_ play: UInt64, _ entry: QueueEntry?) {
        guard hearing?.play != play else { return }
        endHearing(.left)
        guard let entry else { return }
        hearing = HeardPlay(
            play: play, song: entry.songID, key: entry.range == nil ? PlaceKey(entry.item) : nil,
            length: machine.duration)
        if let song = entry.songID { continuation.yield(.started(play: play, song: song, at: now())) }
    }

    /// The play is over. After a natural end, what came behind the last report counts as well.
    func endHearing(_ moment: PlaceMoment) {
        if moment == .left, let reading = engine.progress { count(reading) }
        if var last = hearing, let song = last.song {
            let missing = (moment == .ended ? machine.duration ?? .zero : .zero) - last.counted
            if missing > .zero, missing <= Self.maxGap { last.heard += missing }
            endedPlaytime += last.heard
            continuation.yield(.heard(play: last.play, song: song, total: last.heard))
            continuation.yield(.ended(play: last.play, song: song))
        }
        tellPlace(moment)
        hearing = nil
    }

    func publishMove(to place: Duration, isPaused: Bool) {
        guard let hearing, let song = hearing.song else { return }
        continuation.yield(.moved(play: hearing.play, song: song, place: place, isPaused: isPaused))
    }

    func tellPlace(_ moment: PlaceMoment) {
        if let reading = engine.progress, reading.play == hearing?.play { hearing?.place = reading.elapsed }
        guard let hearing, let key = hearing.key else { return }
        let place = KeptPlace(hearing.place, speed: machine.options.speed)
        placeKeeper?.song(key, isAt: place, of: hearing.length, moment)
    }

    private func count(_ reading: EngineProgress) {
        guard var now = hearing, now.play == reading.play, let song = now.song else { return }
        let grew = reading.heard > now.heard
        (now.counted, now.heard) = (reading.elapsed, max(now.heard, reading.heard))
        hearing = now
        if grew { continuation.yield(.heard(play: now.play, song: song, total: now.heard)) }
    }
}
