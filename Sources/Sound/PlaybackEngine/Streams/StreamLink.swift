import Coordination
import MusicModel

/// The state of a stream's connection, across all its attempts.
///
/// - Isolation: the engine's thread. Moments are of the engine's clock.
struct StreamLink {
    /// A second connection, made while the rest of a broken one is still heard.
    struct Relief {
        var id: Int
        var deck: Deck
        var facts: DeckFacts?
    }

    /// True if sound came since the station was asked for: from then on it is waited for as long as it takes.
    var hasSounded = false
    /// How often in a row it could not be had.
    var failures = 0
    /// Since when it has no sound though it should; nil while it sounds.
    var silentSince: Nanoseconds?
    /// Since when it sounds on this connection; nil while it doesn't.
    var soundsSince: Nanoseconds?
    /// When this connection was begun.
    var openedAt: Nanoseconds = .zero
    /// When it is tried again; nil while a connection is there or being made.
    var retryAt: Nanoseconds?
    /// Why the last connection ended.
    var failure: StreamFailure?
    /// The complaint that the player was told.
    var complaint: String?
    /// Where the stream really is, when its URL leads to a playlist.
    var targets = StreamTargets()
    /// The tags that the stream sent last.
    var tags: [TagValue] = []
    /// Where a stream with an end was when it was reconnected.
    var renewedAt: Nanoseconds?
    var relief: Relief?
    /// True if the stream came to its end, so that no connection is made any more.
    var hasEnded = false
    /// The rate that its sound has, once known: it stays when it is reconnected.
    var lastRate: Int?

    /// Starts over, for a station that a client has asked for.
    mutating func begin(at now: Nanoseconds) {
        (hasSounded, failures, silentSince, soundsSince, retryAt) = (false, 0, now, nil, nil)
        (failure, complaint, renewedAt, hasEnded) = (nil, nil, nil, false)
    }

    /// Notes sound; true if some was missing before.
    mutating func soundCame(at now: Nanoseconds) -> Bool {
        let wasSilent = silentSince != nil
        hasSounded = true
        silentSince = nil
        let since = soundsSince ?? now
        soundsSince = since
        failure = nil
        if now - since > Self.steady { failures = 0 }
        return wasSilent
    }

    /// Notes a connection that ended, and says how long to wait before the next.
    mutating func connectionEnded(at now: Nanoseconds, pauses: (first: Duration, longest: Duration)) -> Nanoseconds {
        let wasSteady = soundsSince.map { now - $0 > Self.steady } ?? false
        soundsSince = nil
        failures = wasSteady ? 0 : failures + 1
        targets.startOver(after: failures)
        // The next of a playlist's streams need not wait for the one before.
        guard failures > 0, targets.urls.isEmpty else { return .zero }
        return min(Nanoseconds(pauses.first) * (1 << min(failures - 1, 16)), Nanoseconds(pauses.longest))
    }

    /// A connection that sounded longer was a good one.
    private static let steady: Nanoseconds = .seconds(5)

    /// Where to connect to for a stream at `url`.
    func address(for url: String) -> String { targets.address(after: failures) ?? url }

    /// True if the connection was a good one so far.
    var isSteady: Bool { failures == 0 && hasSounded }

    /// The trouble that the player is to be told of, if it wasn't yet.
    mutating func complaintToTell(at now: Nanoseconds) -> String? {
        guard let silentSince else { return nil }
        let failure = failure.flatMap { $0.isNoSound ? nil : $0 }
        var text = failure.map { "\($0.message); trying again" }
        let isStalled = hasSounded && now - silentSince > StreamSupervision.complaintAfter
        if text == nil, isStalled { text = "no sound comes any more; waiting for it" }
        guard let text, text != complaint else { return nil }
        complaint = text
        return text
    }

    /// True if a stream that has come to `place` is at its end, and not only interrupted.
    ///
    /// - Parameters:
    ///   - place: where its sound ended.
    ///   - length: how long it is; nil if that isn't known.
    func isEnd(at place: Nanoseconds, of length: Nanoseconds?) -> Bool {
        guard let length, renewedAt != place else { return true }
        return Self.comes(place, to: length)
    }

    /// True where a position is the end of a stream of that length, as far as such lengths can be trusted.
    static func comes(_ place: Nanoseconds, to length: Nanoseconds) -> Bool {
        place >= length - max(.seconds(2), length / 50)
    }
}
