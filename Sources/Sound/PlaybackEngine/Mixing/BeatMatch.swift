import AudioFiles
import AudioOutputs
import Coordination
import MusicModel
import Playback
import Synchronization

/// How a song is brought to the beats of the one before it while they overlap.
struct BeatMatch: Hashable, Sendable {
    /// How many times as fast as it was recorded the song that comes plays.
    let speed: Double
    /// How long they overlap: less than a beat shorter, so that beats fall on beats.
    let length: Nanoseconds
    /// Larger changes of the speed are heard.
    private static let maxSpeedChange = 0.04
    /// Shorter overlaps have no beats to speak of.
    private static let minLength: Nanoseconds = .seconds(2)

    /// Matches the end of a song with the beginning of another one, also at half and double tempo; nil where beats are
    /// not sure, or too far from each other.
    init?(_ before: BeatGrid?, _ after: BeatGrid?, overlap: Nanoseconds, duration: Nanoseconds) {
        guard let before, let after, before.isSure, after.isSure, duration > overlap else { return nil }
        var speed = after.period / before.period
        while speed > 1.5 { speed /= 2 }
        while speed < 0.75 { speed *= 2 }
        guard abs(speed - 1) <= Self.maxSpeedChange else { return nil }
        let begin = (duration - overlap).seconds
        let wait = (before.beat - begin - after.beat / speed).truncatingRemainder(dividingBy: before.period)
        let shorter = Nanoseconds.seconds(wait < 0 ? wait + before.period : wait)
        self.speed = speed
        length = overlap - shorter
        guard length >= Self.minLength else { return nil }
    }
}

extension EngineCore {
    func beatMatch(
        _ deck: PlayingDeck, _ next: PlayingDeck, _ overlap: CrossfadeSettings.Overlap, duration: Nanoseconds
    ) -> BeatMatch? {
        guard fading.settings.matchesBeats, deck.stretch == nil, BeatStretch.isAvailable else { return nil }
        return BeatMatch(
            deck.track.measuredBeats?.tail, next.track.measuredBeats?.head, overlap: overlap.length, duration: duration)
    }

    /// Mixes the next block of a song whose speed is still changed; false if there is nothing to do now.
    func mixStretched(_ deck: PlayingDeck, frames: Int) -> Bool {
        guard var block = deck.takeStretched(frames: frames) else {
            return deck.stretch == nil ? true : soundIsMissing(deck)
        }
        soundIsThere(deck)
        level(&block, of: deck)
        deliver(block)
        return true
    }

    /// Partitions have engines of their own.
    private static let wasSaid = Atomic(false)

    /// Says once if beats are to be matched, and GStreamer has nothing to do it with.
    static func findStretching(_ settings: FadeSettings) -> String? {
        guard settings.matchesBeats, !BeatStretch.isAvailable, GStreamerLibrary.failure == nil,
            !wasSaid.exchange(true, ordering: .relaxed)
        else { return nil }
        return "beat_match has no effect: GStreamer's \(TempoChange.element) is missing, install "
            + EngineCheck.package(of: TempoChange.element)
    }
}

extension PlayingDeck {
    /// Takes sound of a song whose speed is changed; nil if there is none now, or its speed is its own again.
    func takeStretched(frames: Int) -> SampleBlock? {
        guard let stretch else { return nil }
        let piece = stretch.take(frames: frames, from: self)
        if stretch.isOver {
            self.stretch = nil
            stretchedUntil = place
        }
        return piece
    }

    func takeRising(frames: Int, _ layout: SampleLayout) -> [Float]? {
        if stretch != nil { return takeStretched(frames: frames)?.samples }
        return sound.layout == layout ? sound.take(frames: frames)?.samples : nil
    }

    func putBackRising(_ samples: [Float], _ layout: SampleLayout) {
        if let stretch { stretch.putBack(samples) } else { sound.putBack(samples, layout) }
    }

    /// True if it was stretched within the last second, which can't be taken back.
    var wasStretched: Bool { stretch != nil || stretchedUntil.map { place - $0 < .seconds(1) } ?? false }
}
