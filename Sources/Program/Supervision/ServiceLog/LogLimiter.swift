/// Lets the first of many equal events pass and counts the others.
///
/// Events are equal when what they say and the client they concern are; what else varies is not checked.
/// A window begins with its first event. When it is over, `summaries` says how many events were left out.
struct LogLimiter: Sendable {
    /// How many equal events pass in a window that a client brings about.
    static let burst = 5
    /// How many equal events of the server's own pass, each of which may name another file or song.
    static let ownBurst = 50
    /// How many events pass in a window altogether.
    static let total = 500
    static let window = Duration.seconds(10)
    /// How many different events are told apart; those beyond count as one.
    static let keyLimit = 512

    private var counts: [String: (seen: Int, passing: Int)] = [:]
    private var passed = 0
    private var start: ContinuousClock.Instant?

    init() {}
    /// When the window that is open ends; nil while none is.
    var windowEnd: ContinuousClock.Instant? { start.map { $0 + Self.window } }

    /// True if one of `passing` equal events may be written; the caller has taken the summaries of a window that is
    /// over.
    mutating func admits(_ key: String, passing: Int = burst, at now: ContinuousClock.Instant) -> Bool {
        if start == nil { start = now }
        let key = counts.count < Self.keyLimit || counts[key] != nil ? key : "other events"
        let seen = counts[key, default: (0, passing)].seen + 1
        counts[key] = (seen, passing)
        guard seen <= passing, passed < Self.total else { return false }
        passed += 1
        return true
    }

    /// Ends a window that is over: a sentence for each kind of event that was left out in it.
    mutating func summaries(at now: ContinuousClock.Instant) -> [String] {
        guard let end = windowEnd, now >= end else { return [] }
        defer { self = LogLimiter() }
        let left = counts.mapValues { $0.seen - $0.passing }.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        var sentences = left.prefix(32).map { "\($0.key) (\($0.value) more like this)" }
        let rest = left.dropFirst(32).reduce(0) { $0 + $1.value }
        let unnamed = counts.values.reduce(0) { $0 + min($1.seen, $1.passing) } - passed
        if rest + unnamed > 0 { sentences.append("\(rest + unnamed) other events were omitted") }
        return sentences
    }
}
