import Coordination

/// Says which sound a sink plays: where each stretch of its pipeline's time lies in the engine's timeline.
struct SinkPlaces {
    private struct Anchor {
        var stamp: Nanoseconds
        var place: Nanoseconds
    }

    /// How much later than now sound is stamped at least that would come too late.
    static let minLead: Nanoseconds = .milliseconds(30)
    /// Sound after a change of rate is counted in whole frames, and may end a little early.
    private static let tolerance: Nanoseconds = .milliseconds(1)
    private var anchors: [Anchor] = []
    private(set) var nextStamp: Nanoseconds = .zero
    /// Where the sound that came last ends in the timeline.
    private(set) var nextPlace: Nanoseconds = .zero

    /// The position from which the sound that came last continues without a gap; nil before the first.
    var last: Nanoseconds? { anchors.last?.place }

    mutating func add(from start: Nanoseconds, to end: Nanoseconds) -> Nanoseconds {
        if anchors.isEmpty || start != nextPlace { anchors.append(Anchor(stamp: nextStamp, place: start)) }
        defer { (nextStamp, nextPlace) = (nextStamp + max(.zero, end - start), end) }
        return nextStamp
    }

    /// Gives what comes next a new stamp if the sink would throw it away as late by `now`, which may be below zero.
    mutating func skip(to now: Nanoseconds, lead: Nanoseconds = minLead) {
        guard now > nextStamp else { return }
        nextStamp = now + lead
        anchors.append(Anchor(stamp: nextStamp, place: nextPlace))
    }

    mutating func place(at position: Nanoseconds) -> Nanoseconds? {
        while anchors.count > 1, anchors[1].stamp <= position { anchors.removeFirst() }
        guard let anchor = anchors.first else { return nil }
        if position + Self.tolerance >= nextStamp { return nextPlace }
        let limit = anchors.count > 1 ? anchors[1].place : nextPlace
        return min(limit, anchor.place + max(.zero, position - anchor.stamp))
    }
}
