/// When the journal is folded into the database: once nothing has been written for a minute, and where something is
/// always written, before it is old.
struct JournalAge: Hashable, Sendable {
    /// So long nothing is written before.
    static let quietTime = Duration.seconds(60)
    /// So old it becomes.
    static let maxAge = Duration.seconds(300)

    private var first: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant?

    /// Something was written.
    mutating func noteWrite(_ now: ContinuousClock.Instant) {
        first = first ?? now
        last = now
    }

    /// How long it takes until the journal is to be folded in; zero when it is now, after which it is empty, and nil
    /// for an empty one.
    mutating func rest(_ now: ContinuousClock.Instant) -> Duration? {
        guard let first, let last else { return nil }
        let rest = min(last + Self.quietTime, first + Self.maxAge) - now
        guard rest <= .zero else { return rest }
        self = JournalAge()
        return .zero
    }
}
