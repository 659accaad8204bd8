import AudioFiles
import AudioOutputs

/// A crossfade under way.
struct Fade {
    /// How many frames it lasts.
    let frames: Int
    /// True if the songs are added as they are.
    let isPlain: Bool
    /// How many of them are mixed.
    var done = 0

    /// The next frames of both songs together.
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

/// The tracks that the engine has, and how one goes over into the next.
///
/// Whatever it lets go of it returns, to be discarded.
/// - Isolation: the engine's thread.
struct SongJoining {
    /// The track whose sound is mixed now.
    private(set) var current: PlayingDeck?
    /// The track that joins on.
    private(set) var next: PlayingDeck?
    /// The track before `current`, until its last sample was heard: it comes back if the join is called off.
    private(set) var outgoing: PlayingDeck?
    /// How songs overlap.
    var crossfade = CrossfadeSettings()
    /// The crossfade of `current` and `next` that is being mixed.
    private(set) var fade: Fade?
    /// True if `current` faded in over `outgoing`.
    private(set) var isJoinFaded = false
    /// True if the end of `current` has been mixed and nothing follows.
    private(set) var isAtEnd = false

    /// All of them.
    var decks: [PlayingDeck] { [current, next, outgoing].compactMap(\.self) }

    // MARK: Beginning and ending

    /// Plays a track in place of the current one, which was taken out or removed before.
    mutating func play(_ deck: PlayingDeck) { current = deck }

    /// Takes the current track out, which continues elsewhere.
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

    /// The end of the current track has been mixed.
    mutating func end() { isAtEnd = true }

    /// The end that was mixed is taken back.
    mutating func withdrawEnd() { isAtEnd = false }

    // MARK: The next track

    /// Sets the track that joins on; gives the one before. A crossfade with that is over.
    mutating func prepare(_ deck: PlayingDeck?) -> PlayingDeck? {
        defer { (next, fade) = (deck, nil) }
        return next
    }

    /// Takes the track out that was to join on.
    mutating func takeNext() -> PlayingDeck? {
        defer { next = nil }
        return next
    }

    /// Puts an open deck in place of the one that was to be opened for the same track.
    mutating func exchangeNext(for deck: PlayingDeck) { next = deck }

    // MARK: Crossfade

    /// Begins to mix the next track over the current one.
    mutating func beginFade(_ fade: Fade) { self.fade = fade }

    /// Counts frames of both that are mixed.
    mutating func fadeOn(frames: Int) { fade?.done += frames }

    /// Ends a crossfade; true if there was one.
    mutating func endFade() -> Bool {
        defer { fade = nil }
        return fade != nil
    }

    // MARK: Joining

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
