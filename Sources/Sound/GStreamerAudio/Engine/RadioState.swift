import MusicModel

/// The engine's state for stations besides the one that plays.
///
/// - Isolation: the engine's thread.
struct RadioState {
    /// The settings that were asked for.
    let settings: RadioSettings
    /// Which streams are to be kept ready, by URL.
    var wanted: [String] = []
    /// Those that are, or are being opened.
    var ready: [PlayingDeck] = []
    /// Stations that fade out.
    var leaving: [LeavingStation] = []
    /// The station that was left last, until it is known whether it is to be kept ready.
    private(set) var left: PlayingDeck?
    private var leftAt: Int64 = 0
    /// How far the current station has faded in; nil when it has.
    var rise: StationFade?
    /// Whether the current station's first sound is still to be mixed.
    var awaitsStart = false
    /// News of sound that isn't heard yet.
    var news: [StreamNews] = []
    /// When the connections were looked after last.
    var lookedAt: Int64 = 0

    init(_ settings: RadioSettings) { self.settings = settings }

    /// Puts the station aside that was left just now; gives the one before, if that is still there.
    ///
    /// Its fate is decided when the player names the streams to keep ready, or by `takeOverdue`: it holds a connection,
    /// which must not depend on what the player does next.
    mutating func putAside(_ deck: PlayingDeck, at now: Int64) -> PlayingDeck? {
        defer { (left, leftAt) = (deck, now) }
        return left
    }

    /// Takes out the station that was left last.
    mutating func takeLeft() -> PlayingDeck? {
        defer { left = nil }
        return left
    }

    /// The same once it has waited for longer than the player takes.
    mutating func takeOverdue(at now: Int64) -> PlayingDeck? { now - leftAt > Self.decision ? takeLeft() : nil }

    /// How long the player has to name the streams to keep, in nanoseconds.
    private static let decision: Int64 = 1_000_000_000

    /// All decks.
    var decks: [PlayingDeck] { ready + leaving.map(\.deck) + [left].compactMap(\.self) }
}

/// Something about a play's sound, to be told when that is heard.
struct StreamNews {
    enum Item {
        /// The tags of the piece that a stream plays.
        case tags([TagValue])
        /// The decoder's format.
        case format(AudioFormat)
        /// How loud it is.
        case replayGain(ReplayGain)
    }

    /// The moment on the monotonic clock.
    var due: Int64
    var play: UInt64
    var item: Item

    /// Whether it is a stream's text.
    var isTags: Bool { if case .tags = item { true } else { false } }
}

/// A station that fades out.
struct LeavingStation {
    let deck: PlayingDeck
    var fade: StationFade
}

/// A station's way in or out, in nanoseconds.
struct StationFade {
    let length: Int64
    /// Where it began; one that left before it was fully there begins on its way.
    let first: Int64
    var done: Int64

    init(length: Int64, from first: Int64 = 0) {
        (self.length, self.first, done) = (length, first, first)
    }

    /// Whether it is over.
    var isOver: Bool { done >= length }

    /// The factors here, on the way out and on the way in.
    var factors: (out: Float, in: Float) { Gain.crossfade(Double(done) / Double(max(1, length))) }

    /// The same station's way out, from as loud as it is.
    var reversed: StationFade { StationFade(length: length, from: max(0, length - done)) }

    /// Goes on, or back.
    mutating func move(by nanoseconds: Int64) { done = max(first, done + nanoseconds) }
}
