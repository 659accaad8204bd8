import AudioOutputs
import Coordination

/// Stations, or songs, that overlap while a client switches: the current one rises, those before it fade out. It
/// returns what it lets go of.
struct TrackSwitching {
    /// Tracks that fade out, stations with the latest last.
    private(set) var leaving: [LeavingTrack] = []
    /// How far the current track has faded in; nil when it has.
    private(set) var rise: TrackFade?
    /// True if the current track's first sound is still to be mixed.
    private(set) var awaitsStart = false
    /// How many stations fade out at a time: a client that switches faster than they fade hears the last ones.
    private static let limit = 2

    /// True if tracks overlap, or are about to.
    var isUnderWay: Bool { !leaving.isEmpty || rise != nil || awaitsStart }

    /// Lets the current station fade out over `length`, and those that fade out already continue; gives those that are
    /// too many. The `lead` that is mixed and not heard is mixed again.
    mutating func fadeOut(_ current: PlayingDeck?, over length: Nanoseconds, takingBack lead: Nanoseconds)
        -> [PlayingDeck]
    {
        turn(current, over: length, takingBack: lead)
        let surplus = leaving.dropLast(Self.limit).map(\.deck)
        leaving.removeFirst(surplus.count)
        return surplus
    }

    /// Lets a song fade out over `length`, and of those that do so already only the one that is louder, if there is
    /// one: what is softer ends soon. Gives those that have ended.
    mutating func fadeOutSong(_ current: PlayingDeck, over length: Nanoseconds, takingBack lead: Nanoseconds)
        -> [PlayingDeck]
    {
        turn(current, over: length, takingBack: lead)
        leaving.sort { $0.fade.factors.out > $1.fade.factors.out }
        for index in leaving.indices.dropFirst() { leaving[index].fade.hasten(to: Self.shortFade) }
        let surplus = leaving.dropFirst(Self.limit).map(\.deck)
        leaving.removeLast(surplus.count)
        return surplus + takeFaded()
    }

    /// How long a song fades that another one has replaced before it was there.
    private static let shortFade: Nanoseconds = .milliseconds(40)

    private mutating func turn(_ current: PlayingDeck?, over length: Nanoseconds, takingBack lead: Nanoseconds) {
        for deck in [current].compactMap(\.self) + leaving.map(\.deck) { deck.sound.rewind(lead) }
        for index in leaving.indices { leaving[index].fade.move(by: -lead) }
        if let current {
            var reached = rise ?? TrackFade(length: length, from: length)
            reached.move(by: rise == nil ? .zero : -lead)
            leaving.append(LeavingTrack(deck: current, fade: reached.reversed))
        }
    }

    /// A track becomes the current one.
    mutating func begin(_ rise: TrackFade?) { (self.rise, awaitsStart) = (rise, true) }

    /// Takes back a station that fades out, since the client has changed its mind; it rises from as loud as it is.
    mutating func takeBack(_ url: String, unless current: PlayingDeck?) -> LeavingTrack? {
        let index = leaving.lastIndex { $0.deck.track.streamURL == url && $0.deck.phase == .ready }
        guard let index, leaving[index].deck !== current else { return nil }
        let back = leaving.remove(at: index)
        back.deck.sound.restartCount()
        return back
    }

    mutating func end() -> [PlayingDeck] {
        defer { (leaving, rise, awaitsStart) = ([], nil, false) }
        return leaving.map(\.deck)
    }

    /// The first sound of the current track is mixed; true if none was before.
    mutating func takeStart() -> Bool {
        defer { awaitsStart = false }
        return awaitsStart
    }

    /// Lets the current track rise for `length` more; gives its factors before and after; nil once it has risen.
    mutating func riseOn(by length: Nanoseconds) -> (from: Float, to: Float)? {
        guard var rise else { return nil }
        let from = rise.factors.in
        rise.move(by: length)
        self.rise = rise.isOver ? nil : rise
        return (from, rise.factors.in)
    }

    /// Lets the others fade for `length` more; gives each with its factors before and after.
    mutating func fadeOn(by length: Nanoseconds) -> [(deck: PlayingDeck, from: Float, to: Float)] {
        leaving.indices.map { index in
            let from = leaving[index].fade.factors.out
            leaving[index].fade.move(by: length)
            return (leaving[index].deck, from, leaving[index].fade.factors.out)
        }
    }

    /// Takes out those that have faded out.
    mutating func takeFaded() -> [PlayingDeck] {
        defer { leaving.removeAll(where: \.fade.isOver) }
        return leaving.filter(\.fade.isOver).map(\.deck)
    }

    /// Takes out the one that fades out longest, which has no sound left.
    mutating func takeFirst() -> PlayingDeck? { leaving.isEmpty ? nil : leaving.removeFirst().deck }
}

struct LeavingTrack {
    let deck: PlayingDeck
    var fade: TrackFade
}

struct TrackFade {
    let length: Nanoseconds
    /// Where it began; one that left before it was fully there begins on its way.
    let first: Nanoseconds
    var done: Nanoseconds

    init(length: Nanoseconds, from first: Nanoseconds = .zero) {
        (self.length, self.first, done) = (length, first, first)
    }

    var isOver: Bool { done >= length }
    /// The factors here, on the way out and on the way in.
    var factors: (out: Float, in: Float) { Gain.crossfade(done.ratio(to: max(Nanoseconds(count: 1), length))) }
    /// The same track's way out, from as loud as it is.
    var reversed: TrackFade { TrackFade(length: length, from: max(.zero, length - done)) }

    /// Continues from as loud as it is, but over another length in all, if that is shorter.
    mutating func hasten(to shorter: Nanoseconds) {
        guard shorter < length else { return }
        self = TrackFade(length: shorter, from: shorter * done.ratio(to: length))
    }

    mutating func move(by length: Nanoseconds) { done = max(first, done + length) }
}
