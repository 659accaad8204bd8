import AudioFiles
import Coordination
import MusicModel

/// How songs overlap, as clients set it.
/// - Source: MPD v0.24.13 src/player/CrossFade.cxx, src/player/Thread.cxx `CheckCrossFade`. Differs: songs of different
///   formats overlap as well.
struct CrossfadeSettings: Hashable, Sendable {
    struct Song: Hashable, Sendable {
        var duration: Nanoseconds?
        var mixRamp = MixRampTags()
        /// How much ReplayGain changes its loudness, in decibels.
        var gain: Double = 0
    }

    struct Overlap: Hashable, Sendable {
        var length: Nanoseconds
        /// True if the songs are just added: MixRamp trusts in that they are quiet there.
        var isPlain: Bool
    }

    /// Seconds of crossfade; 0 is none, and MixRamp is off as well then.
    var seconds = 0
    /// The loudness at which songs overlap by MixRamp, in decibels.
    var mixRampThreshold: Double = 0
    /// The time that MixRamp takes off the overlap, in seconds; MixRamp is off unless it is above zero.
    var mixRampDelay: Double?
    /// The format that all songs are brought to in the end.
    var outputFormat: AudioFormat?
    /// Shorter songs never overlap.
    private static let minSongLength: Nanoseconds = .seconds(20)

    func overlap(of current: Song, and next: Song) -> Overlap? {
        let window = Nanoseconds.seconds(seconds)
        guard window > .zero else { return nil }
        for song in [current, next] {
            guard let duration = song.duration, duration >= Self.minSongLength, duration > window else { return nil }
        }
        guard let delay = mixRampDelay, delay > 0, let start = next.mixRamp.start, let end = current.mixRamp.end else {
            return Overlap(length: window, isPlain: false)
        }
        guard let rising = MixRampTags.seconds(in: start, decibels: mixRampThreshold - next.gain),
            let falling = MixRampTags.seconds(in: end, decibels: mixRampThreshold - current.gain),
            rising >= 0, falling >= 0, rising + falling - delay > 0
        else { return nil }
        let shorter = min(current.duration ?? .zero, next.duration ?? .zero)
        return Overlap(length: min(.seconds(rising + falling - delay), shorter), isPlain: true)
    }

    /// The layout that both songs are brought to while they overlap, and the next one until it ends.
    ///
    /// Where the outputs have a rate of their own it is that one. Else it is what sounds already, so that no device has
    /// to be reopened amid the music, unless the next song would lose by that: its second channel, or more than the
    /// rate of a CD leaves of it. Songs of which one is surround and the other isn't overlap only where a listener
    /// changes between them; the one that comes keeps its channels then.
    func layout(for current: SampleLayout, and next: SampleLayout) -> SampleLayout {
        guard current != next else { return current }
        let keeps = current.rate >= min(next.rate, Self.fullRate)
        let channels = current.overlaps(next) ? max(current.channels, next.channels) : next.channels
        var common = SampleLayout(rate: keeps ? current.rate : next.rate, channels: channels)
        if let outputFormat, outputFormat.sampleRate > 0 { common.rate = outputFormat.sampleRate }
        return common
    }

    /// A rate that leaves all of the music.
    private static let fullRate = 44_100
}
