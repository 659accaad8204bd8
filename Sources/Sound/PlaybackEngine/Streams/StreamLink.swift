import Coordination
import MusicModel

/// The state of a stream's connection, across all its attempts.
struct StreamLink {
    /// A second connection, made while the rest of a broken one is still heard.
    struct Relief {
        var id: Int
        var deck: Deck
        var facts: DeckFacts?
    }

    /// True if sound came since the station was asked for: from then on it is waited for as long as it takes.
    var hasSounded = false
    var failures = 0
    /// Since when it has no sound though it should; nil while it sounds.
    var silentSince: Nanoseconds?
    /// Since when it sounds on this connection; nil while it doesn't.
    var soundsSince: Nanoseconds?
    var openedAt: Nanoseconds = .zero
    /// When it is tried again; nil while a connection is there or being made.
    var retryAt: Nanoseconds?
    var failure: StreamFailure?
    var complaint: String?
    /// Where the stream really is, when its URL leads to a playlist.
    var targets = StreamTargets()
    var tags: [TagValue] = []
    /// Where a stream with an end was when it was reconnected.
    var renewedAt: Nanoseconds?
    var relief: Relief?
    /// True if the stream came to its end, so that no connection is made any more.
    var hasEnded = false
    /// The rate that its sound has, once known: it stays when it is reconnected.
    var lastRate: Int?

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

    func address(for url: String) -> String { targets.address(after: failures) ?? url }
    var isSteady: Bool { failures == 0 && hasSounded }

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
    func isEnd(at place: Nanoseconds, of length: Nanoseconds?) -> Bool {
        guard let length, renewedAt != place else { return true }
        return Self.comes(place, to: length)
    }

    /// True where a position is the end of a stream of that length, as far as such lengths can be trusted.
    static func comes(_ place: Nanoseconds, to length: Nanoseconds) -> Bool {
        place >= length - max(.seconds(2), length / 50)
    }
}

/// The streams that a playlist names, which are tried in turn.
struct StreamTargets: Equatable {
    /// Their URLs; empty where the stream's own URL is the one to connect to.
    private(set) var urls: [String] = []
    private(set) var wasRead = false

    mutating func beginReading() { wasRead = true }
    mutating func found(_ urls: [String]?) { self.urls = urls ?? [] }
    /// Where to connect to after a number of failures; nil is the stream's own URL.
    func address(after failures: Int) -> String? { urls.isEmpty ? nil : urls[failures % urls.count] }
    func hasOthers(after failures: Int) -> Bool { !urls.isEmpty && (failures + 1) % urls.count != 0 }

    /// Forgets the playlist once all of it has failed: it is read again.
    mutating func startOver(after failures: Int) {
        if !urls.isEmpty, failures > 0, failures % urls.count == 0 { self = StreamTargets() }
    }

    /// True if a URL seems to lead to a playlist that GStreamer doesn't follow.
    static func isLikelyPlaylist(_ url: String) -> Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return [".m3u", ".pls", ".xspf", ".asx"].contains { path.hasSuffix($0) }
    }
}
