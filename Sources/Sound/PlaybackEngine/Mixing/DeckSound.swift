import AudioFiles
import AudioOutputs
import Coordination

/// The sound pulled from a deck so far: cut to the track, brought to the mixer's layout, and handed out in pieces.
struct DeckSound {
    private var frames: SongFrames
    private var change = LayoutChange()
    private var chunks: [SoundChunk] = []
    /// The sound taken last, so that it can be taken back; only where that may be wanted.
    private var given: [SoundChunk] = []
    /// How many of the next pieces were decoded long ago.
    private var stale = 0
    private(set) var wasTaken = false
    private let canRewind: Bool

    init(target: Nanoseconds, canRewind: Bool) {
        frames = SongFrames(target: target)
        self.canRewind = canRewind
    }

    var target: Nanoseconds {
        get { frames.target }
        set { frames.target = newValue }
    }

    var place: Nanoseconds { frames.place }
    var isCut: Bool { frames.isCut }
    var isEmpty: Bool { chunks.isEmpty && !change.holdsBack }
    var layout: SampleLayout? { chunks.first?.layout }
    var carrier: SampleLayout? { change.target }
    /// The layout that it has, or had last; nil if that isn't known yet.
    var lastLayout: SampleLayout? { carrier ?? layout ?? frames.layout }
    var waiting: Int { chunks.reduce(0) { $0 + $1.left } }

    mutating func reset(to target: Nanoseconds) {
        frames.reset(to: target)
        change.reset()
        (chunks, given, stale) = ([], [], 0)
    }

    // MARK: Pulling

    /// Pulls until at least `count` frames wait; false if there is no more of the track at the moment.
    mutating func fill(frames count: Int, within bounds: SongFrames.Bounds, pull: () -> DeckSamples?) -> Bool {
        while waiting < count {
            guard !frames.isCut, let piece = pull() else { return false }
            append(piece, within: bounds)
        }
        return true
    }

    /// Nothing more comes: what was held back for its successors is given as well.
    mutating func finish() { if change.holdsBack, let rest = change.finish() { add(rest) } }

    private mutating func append(_ piece: DeckSamples, within bounds: SongFrames.Bounds) {
        if stale > 0 {
            stale -= 1
            return
        }
        let (layout, channels) = (piece.layout, piece.layout.channels)
        let wanted = frames.count(piece.samples.count / channels, layout, at: piece.position, within: bounds)
        guard !wanted.isEmpty else { return }
        var chunk = SoundChunk(
            layout: layout, samples: piece.samples, integers: piece.integers, taken: wanted.lowerBound * channels)
        chunk.removeLast(chunk.samples.count - wanted.upperBound * channels)
        if let carried = change.convert(chunk) { add(carried) }
    }

    private mutating func add(_ chunk: SoundChunk) {
        if let last = chunks.indices.last, chunks[last].left < 2048, chunks[last].takes(chunk) {
            chunks[last].append(chunk)
        } else {
            chunks.append(chunk)
        }
    }

    // MARK: Another layout

    /// Brings it to a layout from the next frame on, until it is told otherwise.
    mutating func carry(_ layout: SampleLayout?) {
        guard layout != carrier else { return }
        if let rest = change.aim(at: layout) { add(rest) }
        let waiting = chunks
        chunks = []
        for chunk in waiting {
            if let carried = change.convert(chunk) { add(carried) }
        }
    }

    /// Remembers what is taken from now on, since it may soon be carried to another layout.
    mutating func expectCarrying() { change.isExpected = true }

    // MARK: Taking

    mutating func take(frames count: Int) -> SampleBlock? {
        guard let first = chunks.first, first.left > 0 else { return nil }
        let count = min(count, first.left)
        let end = first.taken + count * first.layout.channels
        let piece = first.part(first.taken..<end)
        if end == first.samples.count { chunks.removeFirst() } else { chunks[0].taken = end }
        wasTaken = true
        if canRewind { remember(piece) }
        change.note(taken: piece.samples, piece.layout)
        var block = SampleBlock(layout: piece.layout, samples: piece.samples)
        (block.integers, block.place) = (piece.integers, frames.take(count, piece.layout))
        return block
    }

    /// Takes back frames that were taken last but not used.
    mutating func putBack(_ samples: [Float], _ layout: SampleLayout) {
        putBack(SoundChunk(layout: layout, samples: samples))
    }

    private mutating func putBack(_ chunk: SoundChunk) {
        frames.putBack(chunk.left, chunk.layout)
        chunks.insert(chunk, at: 0)
    }

    /// Takes back frames that were taken last and have been heard otherwise; what was taken before can't be taken back.
    mutating func giveBack(_ samples: [Float], _ layout: SampleLayout) {
        given = []
        if !samples.isEmpty { putBack(samples, layout) }
    }

    // MARK: Taking back

    /// How much can be taken back: more than is mixed ahead.
    private static let memory: Nanoseconds = .seconds(1)

    private mutating func remember(_ chunk: SoundChunk) {
        given.append(chunk)
        var length = given.reduce(.zero) { $0 + $1.layout.length(frames: $1.left) }
        while let first = given.first, length - first.layout.length(frames: first.left) > Self.memory {
            length -= first.layout.length(frames: first.left)
            given.removeFirst()
        }
    }

    /// Takes back the last `length` of what was taken, as far as it is remembered.
    mutating func rewind(_ length: Nanoseconds) {
        var rest = length
        while rest > .zero, var last = given.popLast() {
            let count = min(last.left, last.layout.frames(in: rest))
            guard count > 0 else { return given.append(last) }
            let samples = count * last.layout.channels
            putBack(last.part((last.samples.count - samples)..<last.samples.count))
            rest -= last.layout.length(frames: count)
            last.removeLast(samples)
            if last.left > 0 { given.append(last) }
        }
    }

    // MARK: Streams

    mutating func restartCount() { frames.restart(layout) }
    /// Discards what a stream decoded before it was listened to: one piece that was offered, and one behind it.
    mutating func skipStale() { stale = 2 }
}

/// Samples of one layout, and how many of them are used already.
struct SoundChunk {
    var layout: SampleLayout
    var samples: [Float]
    /// The same as whole numbers of 32 bits, as many, where floats don't hold them.
    var integers: [Int32]?
    /// How many of the samples are used.
    var taken = 0

    var left: Int { (samples.count - taken) / layout.channels }

    func takes(_ next: SoundChunk) -> Bool {
        layout == next.layout && (integers == nil) == (next.integers == nil) && next.taken == 0
    }

    mutating func append(_ next: SoundChunk) {
        samples += next.samples
        if let added = next.integers { integers?.append(contentsOf: added) }
    }

    func part(_ range: Range<Int>) -> SoundChunk {
        SoundChunk(layout: layout, samples: Array(samples[range]), integers: integers.map { Array($0[range]) })
    }

    mutating func removeLast(_ count: Int) {
        samples.removeLast(count)
        integers?.removeLast(count)
    }
}

/// Brings a deck's sound to another layout, so that it can be mixed with another deck's.
struct LayoutChange {
    private(set) var target: SampleLayout?
    /// True if the sound taken last is remembered, since it may soon be brought to another layout.
    var isExpected = false
    private var converter: RateConverter?
    private var lastTaken: SoundChunk?

    var holdsBack: Bool { converter?.holdsBack == true }
    /// Forgets the sound so far; the target stays.
    mutating func reset() { (converter, lastTaken, isExpected) = (nil, nil, false) }

    mutating func aim(at layout: SampleLayout?) -> SoundChunk? {
        let rest = finish()
        target = layout
        return rest
    }

    /// Gives the chunk as it is to be mixed; nil while the converter holds all of it back.
    mutating func convert(_ chunk: SoundChunk) -> SoundChunk? {
        guard let target, converter != nil || chunk.layout != target else { return chunk }
        let samples = converter(to: target).convert(Array(chunk.samples[chunk.taken...]), chunk.layout)
        return samples.isEmpty ? nil : SoundChunk(layout: target, samples: samples)
    }

    private mutating func converter(to layout: SampleLayout) -> RateConverter {
        if let converter { return converter }
        let made = RateConverter(to: layout)
        if let lastTaken { made.follow(lastTaken.samples, lastTaken.layout) }
        lastTaken = nil
        converter = made
        return made
    }

    mutating func finish() -> SoundChunk? {
        guard let converter else { return nil }
        self.converter = nil
        let samples = converter.finish()
        return samples.isEmpty ? nil : SoundChunk(layout: converter.target, samples: samples)
    }

    /// Remembers sound that was taken as it is, so that a change that is expected can follow on it.
    mutating func note(taken samples: [Float], _ layout: SampleLayout) {
        guard isExpected else { return }
        let before = lastTaken.map { $0.layout == layout ? $0.samples : [] } ?? []
        let limit = RateConverter.context * layout.channels
        lastTaken = SoundChunk(layout: layout, samples: Array((before + samples).suffix(limit)))
    }
}
