import Coordination
import MusicModel
import Playback

extension EngineCore {
    /// Lets the sound fade out, and then pauses or stops; false if there is none that could fade. The fade begins
    /// behind what devices have taken already, at the same position for all outputs.
    func fade(to goal: Fading.Goal) -> Bool {
        if fading.turn(to: goal) { return true }
        let length = max(fading.length(before: goal), current?.isDoP == true ? outputs.silenceOfDSD : .zero)
        guard length > .zero, !isPaused, !hearing.isUnpaced, timeline.isSounding else { return false }
        hear()
        mix(ahead: max(Self.reach, outputs.maxBuffer) + length)
        // The end of the music would be told if it was reached.
        let last = isAtEnd ? timeline.produced - Self.rest : timeline.produced
        guard let end = outputs.fadeOut(heard: timeline.heard, over: length, before: last) else { return false }
        fading.begin(goal, from: timeline.heard, to: end, at: clock.now)
        return true
    }

    /// The most that outputs take ahead of hearing where no longer buffer was asked for.
    private static let reach: Nanoseconds = .milliseconds(300)
    /// The part of the music that a fade near its end leaves.
    private static let rest: Nanoseconds = .milliseconds(5)

    func finishHeardFade() { if fading.isOver(heard: timeline.heard, at: clock.now) { endFade() } }

    /// Ends a fade wherever it is; what follows on it happens now.
    func endFade() {
        switch fading.finish() {
        case nil: break
        case .pause:
            hearing.restartClock()
            outputs.setPaused(true)
        case .stop:
            isPaused = false
            stopNow()
        }
    }

    /// The fade that is under way has lost its sound.
    func forgetFade() {
        switch fading.finish() {
        case nil: break
        case .pause: outputs.setPaused(true)
        case .stop: isPaused = false
        }
    }
}

extension EngineCore {
    /// Lets the song that is heard continue and fade out under the one that comes, and says for how long; nil if the
    /// two don't overlap. Sound that no output has taken yet is taken back, so nothing that sounds is interrupted.
    func fadeOut(for track: EngineTrack) -> Nanoseconds? {
        hear()
        let window = min(.seconds(songs.crossfade.seconds), Nanoseconds(fading.settings.next))
        guard window > .zero, !isPaused, speed.speed == 1, timeline.isSounding, !track.followsOnAlbum, let current,
            current.mayOverlap(track), !current.wasStretched, songs.fade == nil, songs.outgoing == nil
        else { return nil }
        let duration = current.duration ?? .max
        guard duration - current.place > Self.minOverlap else { return nil }
        tellProgress()
        let before = timeline.produced
        timeline.cut(from: outputs.withdrawUntaken(heard: timeline.heard) ?? before)
        let unheard = before - timeline.produced
        let length = min(window, duration - current.place + unheard)
        current.sound.expectCarrying()
        radio.switching.fadeOutSong(current, over: length, takingBack: unheard).forEach(keepOrDiscard)
        _ = songs.takeCurrent()
        songs.withdrawEnd()
        return length
    }

    /// A song with less than this left ends at once.
    private static let minOverlap: Nanoseconds = .milliseconds(100)
}

extension PlayingDeck {
    /// True if another track may begin while this one continues.
    fileprivate func mayOverlap(_ other: EngineTrack) -> Bool {
        !isStream && !isDoP && other.streamURL == nil && track.source != other.source && !isOver
    }
}
