import Coordination

/// How far the sound is heard, as the engine said last, and how that continues: what goes by the clock need not
/// be woken for every block.
struct HeardLine: Sendable {
    /// The position in the timeline that was heard at the moment `since`.
    var place: Nanoseconds = .zero
    /// The moment, on the engine's clock.
    var since: Nanoseconds = .zero
    /// The position up to which it surely continues.
    var limit: Nanoseconds = .zero

    /// The position that is heard at a moment.
    func place(at now: Nanoseconds) -> Nanoseconds {
        place >= limit ? place : min(limit, place + max(.zero, now - since))
    }

    /// The moment at which what begins there is heard; nil if that is not known yet.
    func moment(of start: Nanoseconds) -> Nanoseconds? {
        start < limit ? since + max(.zero, start - place) + Nanoseconds(count: 1) : nil
    }
}
