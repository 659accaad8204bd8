import AudioFiles
import Coordination

/// The sound that an output was given and has not taken, and how far it has come in the timeline.
struct OutputQueue: Sendable {
    /// Takes sound before that is heard; others write what is heard.
    let isLive: Bool
    private(set) var blocks: [SampleBlock] = []
    /// The blocks that were heard in the engine that this output left, and are still to be written.
    private var unwritten: [SampleBlock] = []
    /// Counts the engines that it has played for.
    private(set) var tenure = 0
    var due = HeardLine()
    /// Where it continues that has lost some sound so as not to lag behind the others.
    private var skippedTo: Nanoseconds = .zero
    /// The end of the block that was taken last.
    var begunTo: Nanoseconds = .zero
    /// How a pause or a stop fades the sound; nothing is taken while it is about to change.
    private(set) var envelope = FadeEnvelope()
    private var isHeld = false
    private static let limit: Nanoseconds = .seconds(10)

    init(isLive: Bool) { self.isLive = isLive }

    var length: Nanoseconds { blocks.reduce(.zero) { $0 + $1.duration } }

    mutating func give(_ given: [SampleBlock]) -> Bool {
        blocks += given
        var (length, lost) = (length, 0)
        while length > Self.limit, lost < blocks.count - 1 {
            length -= blocks[lost].duration
            lost += 1
        }
        blocks.removeFirst(lost)
        return lost == 0
    }

    /// Leaves out what would be played later than elsewhere.
    mutating func catchUp(_ lag: Nanoseconds, takenTo: Nanoseconds, playedTo: Nanoseconds?) {
        // One that is about to leave something out has not caught up yet.
        guard playedTo ?? .zero >= skippedTo else { return }
        let (before, end) = (blocks.count, takenTo + lag)
        blocks.removeAll { $0.end <= end }
        if blocks.count < before { skippedTo = blocks.first?.start ?? end }
    }

    /// True if the thread has something to do as the sound is heard so far, which it doesn't know yet.
    mutating func setDue(_ line: HeardLine) -> Bool {
        let known = due.limit
        due = line
        return blocks.first.map { $0.start < line.place || ($0.start >= known && $0.start < line.limit) } ?? false
    }

    /// Discards everything that isn't heard yet; gives the position up to which it was taken or is still written.
    mutating func flush(heard place: Nanoseconds) -> Nanoseconds {
        blocks.removeAll { isLive || $0.start >= place }
        envelope.breakOff(at: place)
        defer { (begunTo, skippedTo) = (.zero, .zero) }
        return max(place, blocks.last?.end ?? begunTo)
    }

    mutating func withdraw(from place: Nanoseconds) { blocks.removeAll { $0.start >= place } }

    mutating func detach(heard place: Nanoseconds) {
        let rest = isLive ? [] : unwritten + blocks.filter { $0.start < place }
        let next = tenure + 1
        self = OutputQueue(isLive: isLive)
        (unwritten, tenure) = (rest, next)
    }

    /// Gives no sound until the next envelope comes.
    mutating func hold() { isHeld = true }
    mutating func setEnvelope(_ envelope: FadeEnvelope) { (self.envelope, isHeld) = (envelope, false) }

    /// Takes the next block: any for live outputs, one that is heard for the others and while closing.
    mutating func take(at now: Nanoseconds, isClosing: Bool) -> (block: SampleBlock, tenure: Int)? {
        if !unwritten.isEmpty { return (unwritten.removeFirst(), -1) }
        guard let first = blocks.first, isLive ? !isClosing : first.start < due.place(at: now) else { return nil }
        return takeFirst(first).map { ($0, tenure) }
    }

    /// Takes the first block, or its part before the position at which the sound waits; nil if there is none.
    private mutating func takeFirst(_ first: SampleBlock) -> SampleBlock? {
        guard !isHeld else { return nil }
        var taken = first
        if let end = envelope.end, first.end > end {
            guard first.layout.frames(in: end - first.start) > 0 else { return nil }
            if let (before, behind) = first.split(at: end) {
                (taken, blocks[0]) = (before, behind)
                begunTo = taken.end
                return taken
            }
        }
        blocks.removeFirst()
        begunTo = taken.end
        return taken
    }

    var nextMoment: Nanoseconds? { isLive ? nil : blocks.first.flatMap { due.moment(of: $0.start) } }

    /// Discards sound that is too late: after a wait, as for a server that doesn't answer, it would delay the rest.
    mutating func discardLate(at now: Nanoseconds) {
        guard due.place != .max else { return }
        let end = due.place(at: now) - Self.latest
        blocks.removeSubrange(..<(blocks.firstIndex { $0.end >= end } ?? blocks.endIndex))
    }

    private static let latest: Nanoseconds = .seconds(2)

    mutating func giveBack(_ rest: [SampleBlock]) { blocks = rest + blocks }
    mutating func clear() { blocks = [] }
}
