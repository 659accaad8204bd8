import Coordination
import Playback

/// Stations that are kept ready: connected and silent, because a client may switch to them next. It returns what it
/// lets go of.
struct ReadyStations {
    private(set) var decks: [PlayingDeck] = []
    private var wanted: [String] = []
    /// The station that was left last, until it is known whether it is to be kept.
    private(set) var left: PlayingDeck?
    private var leftAt: Nanoseconds = .zero
    /// How long the player has to name the streams to keep.
    private static let decision: Nanoseconds = .seconds(1)

    /// Keeps these streams ready and no others, besides those of others; gives those that aren't kept.
    mutating func keep(
        _ urls: [String], besides others: [PlayingDeck], at now: Nanoseconds, make: (String) -> PlayingDeck
    ) -> [PlayingDeck] {
        wanted = urls
        var unwanted = takeLeft().flatMap { admit($0, at: now) }.map { [$0] } ?? []
        unwanted += decks.filter { !isWanted($0) }
        decks = decks.filter { isWanted($0) }
        for url in urls where !(decks + others).contains(where: { $0.track.streamURL == url }) {
            decks.append(make(url))
        }
        return unwanted
    }

    /// Keeps a station that was played ready, if that is wanted and its connection works; gives it back otherwise.
    mutating func admit(_ deck: PlayingDeck, at now: Nanoseconds) -> PlayingDeck? {
        let isKept = decks.contains { $0.track.streamURL == deck.track.streamURL }
        guard isWanted(deck), !isKept, deck.phase == .ready, deck.breakage == nil else { return deck }
        deck.track.play = 0
        deck.reset(to: .zero)
        deck.sound.carry(nil)
        deck.link.begin(at: now)
        deck.deck?.pipeline?.setResting(true, isEndless: deck.isEndless)
        decks.append(deck)
        return nil
    }

    private func isWanted(_ deck: PlayingDeck) -> Bool { deck.track.streamURL.map(wanted.contains) ?? false }

    /// Puts the station aside that was left just now, and gives the one before: its connection is kept or closed by
    /// `keep`, or by `takeOverdue`, so that it doesn't depend on what the player does next.
    mutating func putAside(_ deck: PlayingDeck, at now: Nanoseconds) -> PlayingDeck? {
        defer { (left, leftAt) = (deck, now) }
        return left
    }

    mutating func takeLeft() -> PlayingDeck? {
        defer { left = nil }
        return left
    }

    /// The same once it has waited for longer than the player takes.
    mutating func takeOverdue(at now: Nanoseconds) -> PlayingDeck? { now - leftAt > Self.decision ? takeLeft() : nil }

    mutating func take(_ url: String) -> PlayingDeck? {
        decks.firstIndex { $0.track.streamURL == url }.map { decks.remove(at: $0) }
    }

    /// Takes out the station at a URL if it is connected, or about to be.
    mutating func takeConnected(_ url: String?) -> PlayingDeck? {
        let index = decks.firstIndex { $0.track.streamURL == url && $0.phase != .fetching && $0.breakage == nil }
        return index.map { decks.remove(at: $0) }
    }

    /// Those that are to be connected now, but for the one that is being opened to join on.
    func due(at now: Nanoseconds, unless joining: PlayingDeck?) -> [PlayingDeck] {
        decks.filter { deck in
            let isJoining = joining?.track.streamURL == deck.track.streamURL && joining?.phase != .fetching
            return deck.phase == .fetching && !isJoining && deck.link.retryAt ?? .zero <= now
        }
    }

    /// Those whose connection takes longer than `patience`.
    func overdue(at now: Nanoseconds, patience: Nanoseconds) -> [PlayingDeck] {
        decks.filter { $0.phase == .opening && now - $0.link.openedAt > patience }
    }
}
