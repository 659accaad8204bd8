import AudioFiles
import Coordination

/// Plays nothing, but takes as long as the music lasts: `null` with `sync`.
final class ClockDriver: OutputDriver {
    /// The position that was reached at the moment `since`; nil before the first block.
    private var place: Nanoseconds?
    private var since: Nanoseconds = .zero
    private var nextPlace: Nanoseconds = .zero
    private var isPaused = false
    private let clock: any EngineClock

    init(_ clock: any EngineClock) { self.clock = clock }

    func open(_ layout: SampleLayout) throws(OutputProblem) { isPaused = false }

    func write(_ block: SampleBlock) throws(OutputProblem) {
        let now = clock.now
        let reached = playedTo(at: now)
        // After a gap in the sound, or when it ran out, time starts again from the new block. One in place of sound
        // that is still to be played changes nothing.
        if reached.map({ $0 == nextPlace || block.start > nextPlace || block.start < $0 }) ?? true {
            (place, since) = (block.start, now)
        }
        nextPlace = block.end
    }

    func flush() { place = nil }

    func setPaused(_ isPaused: Bool) {
        let now = clock.now
        (place, since) = (playedTo(at: now), now)
        self.isPaused = isPaused
    }

    var restMilliseconds: Int { isPaused ? 3_600_000 : 200 }
    var playedTo: Nanoseconds? { playedTo(at: clock.now) }

    private func playedTo(at now: Nanoseconds) -> Nanoseconds? {
        place.map { isPaused ? $0 : min(nextPlace, $0 + now - since) }
    }

    func close() { place = nil }
}
