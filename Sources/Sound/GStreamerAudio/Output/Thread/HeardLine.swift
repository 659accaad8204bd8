/// How far the sound is heard, as the engine said last, and how that goes on by itself: what goes by the clock need not
/// be woken for every block.
struct HeardLine: Sendable {
    /// The place in the timeline that was heard at the moment `since`.
    var place: Int64 = 0
    /// The moment, on the monotonic clock.
    var since: Int64 = 0
    /// The place up to which it surely goes on.
    var limit: Int64 = 0

    /// The place that is heard at a moment.
    func place(at now: Int64) -> Int64 { place >= limit ? place : min(limit, place + max(0, now - since)) }

    /// The moment at which what begins there is heard; nil if that is not known yet.
    func moment(of start: Int64) -> Int64? { start < limit ? since + max(0, start - place) + 1 : nil }
}
