import Coordination
import Playback

/// Decides when streams are connected, reconnected and given up. It has no connection itself.
struct StreamSupervision {
    enum Order: Equatable {
        case reconnect(StreamFailure)
        case giveUp(String)
    }

    enum Consequence: Equatable {
        /// There is something else than sound: the streams that it names are asked for.
        case readPlaylist
        case giveUp(String)
        /// It has ended: all of it was heard.
        case end
        case retry
    }

    let settings: RadioSettings
    private var lastPass: Nanoseconds = .zero
    /// A pause between two passes that is longer than that doesn't count as silence: nothing was mixed in it.
    private static let maxPass: Nanoseconds = .seconds(2)
    /// An interruption is told after that long without sound, where no cause is known.
    static let complaintAfter: Nanoseconds = .seconds(3)

    init(_ settings: RadioSettings) { self.settings = settings }

    private var patience: Nanoseconds { Nanoseconds(settings.stations.timeout) }

    /// Takes account of the time that has passed: none counts against a stream in which nothing was asked of it.
    mutating func pass(_ link: inout StreamLink, at now: Nanoseconds) {
        let gap = now - lastPass
        lastPass = now
        guard gap > Self.maxPass, let since = link.silentSince else { return }
        link.silentSince = min(now, since + gap)
        link.openedAt = min(now, link.openedAt + gap)
    }

    /// Gives the order about the stream that plays; a new connection to a segmented one would repeat its last piece.
    func order(for link: StreamLink, _ phase: PlayingDeck.Phase, isSegmented: Bool, at now: Nanoseconds) -> Order? {
        guard let since = link.silentSince else { return nil }
        guard link.hasSounded else { return orderBeforeSound(link, phase, since, now) }
        let isConnected = phase == .ready || phase == .opening
        let endurance = isSegmented ? patience * 3 : patience
        guard isConnected, now - max(since, link.openedAt) > endurance else { return nil }
        return .reconnect(StreamFailure(message: "no sound comes any more"))
    }

    private func orderBeforeSound(
        _ link: StreamLink, _ phase: PlayingDeck.Phase, _ since: Nanoseconds, _ now: Nanoseconds
    ) -> Order? {
        if now - since > patience {
            let seconds = max(1, settings.stations.timeout.components.seconds)
            return .giveUp(link.failure?.message ?? "no sound came within \(seconds) seconds")
        }
        // The streams of a playlist share the time that the station has.
        let share = max(.seconds(2), patience / max(1, link.targets.urls.count))
        guard link.targets.hasOthers(after: link.failures), phase == .opening, now - link.openedAt > share else {
            return nil
        }
        return .reconnect(StreamFailure(message: "no sound came in time"))
    }

    /// Notes a connection's end in its link, and says what follows; a station that is resting is never given up.
    func consequence(
        of failure: StreamFailure, for link: inout StreamLink, isResting: Bool, isEndless: Bool, at now: Nanoseconds
    ) -> Consequence {
        link.failure = failure
        let hasOthers = link.targets.hasOthers(after: link.failures)
        if failure.isNoSound, !link.hasSounded {
            if !link.targets.wasRead, settings.resolver != nil { return .readPlaylist }
            if !isResting, !hasOthers { return .giveUp(failure.message) }
        }
        if failure.isRefused, !hasOthers, !isResting { return .giveUp(failure.message) }
        if failure.isFinal, !link.hasSounded, !hasOthers, !isResting { return .giveUp(failure.message) }
        if failure.isGone, link.hasSounded, !isEndless, !isResting { return .end }
        let pauses = isResting ? settings.restingPauses : settings.pauses
        link.retryAt = now + link.connectionEnded(at: now, pauses: pauses)
        return .retry
    }
}
