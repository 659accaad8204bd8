import AudioFiles
import Coordination
import MusicModel

/// Applies a volume to blocks: it changes smoothly within sound that continues, and else at once.
struct BlockVolume {
    private var ramp = GainRamp(1)
    private var end = SampleBlock.nowhere

    mutating func apply(_ factor: Float, to block: inout SampleBlock) {
        ramp.target = factor
        if block.start != end { ramp.jump() }
        end = block.end
        guard !ramp.isUnity else { return }
        ramp.apply(to: &block.samples, layout: block.layout)
    }
}

/// Says when a device that failed is tried again: after pauses that grow while it keeps failing.
struct DeviceRetries {
    private let first: Nanoseconds
    private let longest: Nanoseconds
    private var pause: Nanoseconds
    private var dueAt: Nanoseconds = .zero

    init(first: Nanoseconds, longest: Nanoseconds) {
        (self.first, self.longest) = (first, longest)
        pause = first
    }

    func isDue(at now: Nanoseconds) -> Bool { now >= dueAt }
    /// It works, or starts over: it may be tried at once, and the next pause is the shortest.
    mutating func begin() { (pause, dueAt) = (first, .zero) }

    /// It failed; each pause is twice as long as the one before, up to the longest.
    mutating func failed(at now: Nanoseconds) {
        dueAt = now + pause
        pause = min(pause * 2, longest)
    }
}

/// How far the sound is heard, as the engine said last, and how that continues without waking for every block.
struct HeardLine: Sendable {
    /// The position in the timeline that was heard at the moment `since`.
    var place: Nanoseconds = .zero
    var since: Nanoseconds = .zero
    /// The position up to which it surely continues.
    var limit: Nanoseconds = .zero

    func place(at now: Nanoseconds) -> Nanoseconds {
        place >= limit ? place : min(limit, place + max(.zero, now - since))
    }

    /// The moment at which what begins there is heard; nil if that is not known yet.
    func moment(of start: Nanoseconds) -> Nanoseconds? {
        start < limit ? since + max(.zero, start - place) + Nanoseconds(count: 1) : nil
    }
}

/// Says how much silence is missing in an output whose listeners would leave if there were no sound at all.
struct SilenceFiller {
    /// How long it waits for sound that is missing for no known reason, since silence would only delay it.
    private static let patience: Nanoseconds = .seconds(1)
    /// The shortest and the longest silence worth sending at a time.
    private static let length: ClosedRange<Nanoseconds> = .milliseconds(40) ... .milliseconds(500)
    private var soundUntil: Nanoseconds = .zero
    private var isResting = false

    mutating func begin(at now: Nanoseconds) { (soundUntil, isResting) = (now, false) }

    mutating func heard(_ duration: Nanoseconds, at now: Nanoseconds) {
        soundUntil = min(max(soundUntil, now) + duration, now + Self.patience)
        isResting = false
    }

    mutating func rest() { isResting = true }

    /// How much silence is to be sent now; nil if none.
    mutating func missing(at now: Nanoseconds) -> Nanoseconds? {
        let gap = now - soundUntil
        if gap > Self.patience { isResting = true }
        guard isResting, gap >= Self.length.lowerBound else { return nil }
        soundUntil = now
        return min(gap, Self.length.upperBound)
    }
}

extension SampleBlock {
    /// Silence of no position in the timeline.
    static func silence(_ length: Nanoseconds, _ layout: SampleLayout) -> SampleBlock {
        let samples = [Float](repeating: 0, count: layout.frames(in: length) * layout.channels)
        return SampleBlock(start: nowhere, duration: length, layout: layout, samples: samples)
    }
}

/// Notices when a device has nothing left to play in the middle of sound.
struct UnderrunWatch {
    private var end: Nanoseconds?
    private var givenAt: Nanoseconds = .zero
    private var countedAt: Nanoseconds?

    var isWatching: Bool { end != nil }

    /// After longer without sound, music has ended and starts again.
    private static let longest: Nanoseconds = .seconds(1)

    /// Notes the next block, before the device has it, and says whether sound was missing before it.
    mutating func isGap(before block: Range<Nanoseconds>, playedTo: Nanoseconds?, at now: Nanoseconds) -> Bool {
        defer { (end, givenAt) = (block.upperBound, now) }
        guard let end, let playedTo, block.lowerBound == end else { return false }
        return playedTo >= end && now - givenAt < Self.longest
    }

    /// True if a gap that is seen now is to be counted: one may be seen by several, and in pieces.
    mutating func isAnotherGap(at now: Nanoseconds) -> Bool {
        if let countedAt, now - countedAt < Self.oneGap { return false }
        countedAt = now
        return true
    }

    private static let oneGap: Nanoseconds = .milliseconds(500)

    /// The next block need not join on: there was a pause, a jump, a wait for the song, or the device was closed.
    mutating func interrupt() { end = nil }
}

/// The sound that a device was given and has not played, so that it can be given again.
struct UnplayedSound {
    private var blocks: [SampleBlock] = []
    private var playedTo: Nanoseconds?

    var isEmpty: Bool { blocks.isEmpty }

    mutating func note(_ block: SampleBlock) {
        blocks.append(block)
        // Sound that is never reported as played is no longer wanted either.
        if blocks.count > Self.limit { blocks.removeFirst(blocks.count - Self.limit) }
    }

    /// Blocks of 40 ms: more than any device takes ahead.
    private static let limit = 256

    mutating func forget(before place: Nanoseconds?) {
        guard let place else { return }
        playedTo = place
        blocks.removeAll { $0.end <= place }
    }

    /// Forgets everything: what was not played is not wanted any more.
    mutating func forget() { (blocks, playedTo) = ([], nil) }

    /// Takes what was not played, to the exact frame.
    mutating func take() -> [SampleBlock] {
        defer { forget() }
        guard let playedTo, var first = blocks.first, first.start < playedTo else { return blocks }
        let frames = min(first.frames, first.layout.frames(in: playedTo - first.start))
        guard frames < first.frames else { return Array(blocks.dropFirst()) }
        first.keep((frames * first.layout.channels)..<first.samples.count)
        (first.start, first.duration) = (playedTo, first.end - playedTo)
        return [first] + blocks.dropFirst()
    }
}
