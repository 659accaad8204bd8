/// How music fades where listeners interrupt it; zero cuts, and samples stay as they are.
package struct FadeSettings: Hashable, Sendable {
    /// How long music fades out before a pause, and fades in when it continues.
    package var pause: Duration
    /// How long music fades out before it stops.
    package var stop: Duration
    /// How long a song that is left for another one continues under it at most, where clients have set a crossfade.
    package var next: Duration
    /// True if a song plays at the tempo of the one that it overlaps with, beat on beat, where both are known well.
    package var matchesBeats: Bool

    /// Makes settings.
    package init(pause: Duration = .zero, stop: Duration = .zero, next: Duration = .zero, matchesBeats: Bool = false) {
        (self.pause, self.stop, self.next, self.matchesBeats) = (pause, stop, next, matchesBeats)
    }
}
