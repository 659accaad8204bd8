import AudioFiles
import AudioOutputs

struct Fade {
    let frames: Int
    /// True if the songs are added as they are.
    let isPlain: Bool
    /// How many of them are mixed.
    var done = 0

    func mix(_ falling: [Float], _ rising: [Float], _ layout: SampleLayout) -> [Float] {
        var (mixed, added) = (falling, rising)
        if !isPlain {
            let from = Double(done) / Double(frames)
            let to = Double(done + falling.count / layout.channels) / Double(frames)
            Gain.applyCrossfade(&mixed, channels: layout.channels, from: from, to: to, isRising: false)
            Gain.applyCrossfade(&added, channels: layout.channels, from: from, to: to, isRising: true)
        }
        Gain.add(added, to: &mixed)
        return mixed
    }
}

/// The tracks that the engine has, and how one goes over into the next. It returns what it lets go of.
struct SongJoining {
    private(set) var current: PlayingDeck?
    private(set) var next: PlayingDeck?
    /// The track before `current`, until its last sample was heard: it comes back if the join is called off.
    private(set) var outgoing: PlayingDeck?
    var crossfade = CrossfadeSettings()
    private(set) var fade: Fade?
    /// True if `current` faded in over `outgoing`.
    private(set) var isJoinFaded = false
    /// True if the end of `current` has been mixed and nothing follows.
    private(set) var isAtEnd = false

    var decks: [PlayingDeck] { [current, next, outgoing].compactMap(\.self) }
    /// Plays a track in place of the current one, which was taken out or removed before.
    mutating func play(_ deck: PlayingDeck) { current = deck }

    mutating func takeCurrent() -> PlayingDeck? {
        defer { current = nil }
        return current
    }

    /// Discards the current track and what is before it; the next one stays.
    mutating func removeCurrent() -> [PlayingDeck] {
        defer { (current, outgoing, fade, isAtEnd) = (nil, nil, nil, false) }
        return [current, outgoing].compactMap(\.self)
    }

    mutating func removeAll() -> [PlayingDeck] { removeCurrent() + [takeNext()].compactMap(\.self) }
    mutating func end() { isAtEnd = true }
    mutating func withdrawEnd() { isAtEnd = false }

    /// Sets the track that joins on; gives the one before. A crossfade with that is over.
    mutating func prepare(_ deck: PlayingDeck?) -> PlayingDeck? {
        defer { (next, fade) = (deck, nil) }
        return next
    }

    mutating func takeNext() -> PlayingDeck? {
        defer { next = nil }
        return next
    }

    /// Puts an open deck in place of the one that was to be opened for the same track.
    mutating func exchangeNext(for deck: PlayingDeck) { next = deck }
    mutating func beginFade(_ fade: Fade) { self.fade = fade }
    mutating func fadeOn(frames: Int) { fade?.done += frames }

    mutating func endFade() -> Bool {
        defer { fade = nil }
        return fade != nil
    }

    /// The next track becomes the current one; gives the track that was heard before.
    mutating func join() -> PlayingDeck? {
        defer {
            (outgoing, current, next) = (current, next, nil)
            (isJoinFaded, fade) = (fade != nil, nil)
        }
        return outgoing
    }

    /// The first sound of the current track is heard: there is no way back; gives the track before.
    mutating func confirmJoin() -> PlayingDeck? {
        defer { outgoing = nil }
        return outgoing
    }

    /// The track before the current one continues; gives the one that had joined on.
    mutating func callOff() -> PlayingDeck? {
        guard let before = outgoing, let unwanted = current else { return nil }
        (outgoing, current, isAtEnd) = (nil, before, false)
        return unwanted
    }
}
