import AudioFiles
package import Coordination

/// How loud the sound is along the timeline, where a pause or a stop fades it: straight lines between points.
///
/// All outputs have the same one, and apply it as late as they apply the volume.
package struct FadeEnvelope: Hashable, Sendable {
    private struct Point: Hashable {
        var place: Nanoseconds
        var level: Float
    }

    /// In the order of their positions; two at one are a step. The level stays before and behind, and is 1 without.
    private var points: [Point] = []
    /// The position at which the sound has faded out and waits; nil lets it continue.
    package private(set) var end: Nanoseconds?

    /// Leaves the sound as it was mixed.
    package init() {}

    var isFlat: Bool { points.isEmpty && end == nil }
    func level(at place: Nanoseconds) -> Float { level(at: place, behind: points.lastIndex { $0.place <= place }) }

    private func level(at place: Nanoseconds, behind index: Int?) -> Float {
        guard let index else { return points.first?.level ?? 1 }
        let point = points[index]
        guard index + 1 < points.count, points[index + 1].place > point.place else { return point.level }
        let next = points[index + 1]
        let way = (place - point.place).ratio(to: next.place - point.place)
        return point.level + (next.level - point.level) * Float(way)
    }

    /// True if the sound falls or waits at a position; for sound that can't be softer, it rises at once.
    func isFading(at place: Nanoseconds) -> Bool { end != nil && !points.isEmpty && level(at: place) < 1 }

    /// Falls to silence, from as loud as it is at `place`; at `end`, or sooner where it is softer already, it waits.
    package mutating func fall(from place: Nanoseconds, to end: Nanoseconds) {
        let level = cut(from: place)
        let length = (end - place) * Double(level)
        points.append(Point(place: place + length, level: 0))
        self.end = place + length
    }

    /// Continues, and rises from as loud as it is at `place`: from silence over `length`.
    package mutating func rise(from place: Nanoseconds, over length: Nanoseconds) {
        let level = cut(from: place)
        points.append(Point(place: place + length * Double(1 - level), level: 1))
    }

    /// Ends the fade at `place`: other sound comes behind it, as loud as it was mixed.
    package mutating func breakOff(at place: Nanoseconds) {
        guard !isFlat else { return }
        _ = cut(from: place)
        points.append(Point(place: place, level: 1))
    }

    /// Lets everything behind `place` be open; gives the level there.
    private mutating func cut(from place: Nanoseconds) -> Float {
        let level = level(at: place)
        points.removeAll { $0.place > place }
        points.append(Point(place: place, level: level))
        end = nil
        return level
    }

    /// Forgets what lies before a position.
    package mutating func forget(before place: Nanoseconds) {
        while points.count > 1, points[1].place <= place { points.removeFirst() }
        if end == nil, points.count == 1, points[0].place <= place, points[0].level == 1 { points = [] }
    }

    func apply(to block: inout SampleBlock) {
        guard let final = points.last, final.level != 1 || final.place > block.start else { return }
        let (layout, start, frames) = (block.layout, block.start, block.frames)
        var from = Point(place: start, level: level(at: start))
        // Where it ends a step does not count yet.
        let index = points.lastIndex { $0.place < block.end }
        let last = Point(place: block.end, level: level(at: block.end, behind: index))
        var done = 0
        for to in points.filter({ $0.place > start && $0.place < block.end }) + [last] {
            let reached = to.place == block.end ? frames : min(frames, layout.frames(in: to.place - start))
            if reached > done {
                Gain.apply(
                    &block.samples, channels: layout.channels, frames: done..<reached, from: from.level, to: to.level)
                done = reached
            }
            from = to
        }
    }
}
