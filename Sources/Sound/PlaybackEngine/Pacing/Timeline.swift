import Coordination
import MusicModel

/// The sound that the mixer has produced, and how far it has been heard, on one line that never goes back.
///
/// Each play lies on it as spans; a seek starts a new one. Marks are fired as hearing passes them.
struct Timeline {
    enum Mark: Equatable {
        case started(play: UInt64)
        case finished(play: UInt64)
        case failed(play: UInt64, message: String)
    }

    private struct Span {
        var start: Nanoseconds
        var play: UInt64
        var position: Nanoseconds
        var speed = 1.0

        func position(at place: Nanoseconds) -> Nanoseconds { position + Self.scale(place - start, speed) }

        static func scale(_ length: Nanoseconds, _ speed: Double) -> Nanoseconds {
            speed == 1 ? length : length * speed
        }
    }

    private struct PlacedMark {
        var place: Nanoseconds
        var mark: Mark
    }

    private(set) var produced: Nanoseconds = .zero
    /// How far the outputs have played.
    private(set) var heard: Nanoseconds = .zero
    private var spans: [Span] = []
    private var marks: [PlacedMark] = []
    private var heardOf: [UInt64: Nanoseconds] = [:]

    /// The time that has been mixed but not heard.
    var lead: Nanoseconds { produced - heard }
    var hasMarks: Bool { !marks.isEmpty }
    /// How long it takes until the next mark is heard.
    var nextMark: Nanoseconds? { marks.first.map { max(.zero, $0.place - heard) } }

    /// Places audio of a play that starts at `position` within it; gives its position on the line.
    mutating func append(play: UInt64, position: Nanoseconds, duration: Nanoseconds, speed: Double = 1) -> Nanoseconds {
        let place = produced
        if spans.last?.play != play || spans.last?.speed != speed
            || spans.last.map({ ($0.position(at: place) - position).magnitude > .milliseconds(1) }) ?? true
        {
            spans.append(Span(start: place, play: play, position: position, speed: speed))
        }
        produced += duration
        return place
    }

    mutating func place(_ mark: Mark) { marks.append(PlacedMark(place: produced, mark: mark)) }

    /// Takes back the end of a play that has not been heard; true if there was one.
    mutating func withdrawEnd() -> Bool {
        guard case .finished = marks.last?.mark else { return false }
        marks.removeLast()
        return true
    }

    func awaitsStart(of play: UInt64) -> Bool { marks.contains { $0.mark == .started(play: play) } }

    /// Moves hearing on, at most to what is produced, and gives the marks that it passes.
    mutating func advance(to place: Nanoseconds) -> [Mark] {
        let target = min(max(place, heard), produced)
        credit(from: heard, to: target)
        heard = target
        var passed: [Mark] = []
        while let first = marks.first, isPassed(first) { passed.append(marks.removeFirst().mark) }
        while spans.count > 1, spans[1].start <= heard { spans.removeFirst() }
        return passed
    }

    /// A start is told once a sample after it was heard, an end as soon as it is reached.
    private func isPassed(_ mark: PlacedMark) -> Bool {
        if case .started = mark.mark { mark.place < heard } else { mark.place <= heard }
    }

    private mutating func credit(from: Nanoseconds, to: Nanoseconds) {
        for (index, span) in spans.enumerated() {
            let end = index + 1 < spans.count ? spans[index + 1].start : produced
            let share = min(end, to) - max(span.start, from)
            if share > .zero { heardOf[span.play, default: .zero] += Span.scale(share, span.speed) }
        }
    }

    /// Discards what is produced but not heard, and the marks in it; hearing continues with what comes next.
    mutating func cut() {
        heard = produced
        spans = []
        marks = []
    }

    /// Where a play starts that is still to be heard.
    func start(of play: UInt64) -> Nanoseconds? { marks.first { $0.mark == .started(play: play) }?.place }

    /// Discards what is produced behind a position that is not heard yet; what comes next goes there.
    mutating func cut(from place: Nanoseconds) {
        guard place >= heard, place <= produced else { return }
        produced = place
        spans.removeAll { $0.start >= place }
        marks.removeAll { $0.place >= place }
    }

    /// The play at the position heard and where in it that is; nil after a cut.
    var playing: (play: UInt64, position: Nanoseconds)? {
        guard let span = spans.last(where: { $0.start <= heard }) else { return nil }
        return (span.play, span.position(at: heard))
    }

    /// True if a play is being heard that continues.
    var isSounding: Bool { lead > .zero && playing.map { !awaitsStart(of: $0.play) } ?? false }
    var speed: Double { spans.last { $0.start <= heard }?.speed ?? 1 }
    /// How much of the play has been heard, in its own time.
    func heard(of play: UInt64) -> Nanoseconds { heardOf[play] ?? .zero }
    mutating func forget(allBut plays: Set<UInt64>) { heardOf = heardOf.filter { plays.contains($0.key) } }
}
