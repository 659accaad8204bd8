import AudioFiles
import AudioOutputs
import Coordination

/// A source that decoded sound is pulled from.
protocol SoundSource {
    /// Takes the next piece, if one is there.
    func pull() -> DeckSamples?
}

/// The sound pulled from a deck so far: cut to the track, brought to the mixer's layout, and handed out in pieces.
///
/// It knows nothing of pipelines and of plays.
struct DeckSound {
    private var frames: SongFrames
    private var change = LayoutChange()
    private var chunks: [SoundChunk] = []
    /// The sound taken last, so that it can be taken back; only where that may be wanted.
    private var given: [SoundChunk] = []
    /// How many of the next pieces were decoded long ago.
    private var stale = 0
    /// True if any sound was ever taken.
    private(set) var wasTaken = false
    private let canRewind: Bool

    /// Starts without sound.
    ///
    /// - Parameters:
    ///   - target: Where sound is to begin in the track.
    ///   - canRewind: Whether sound that was taken can be taken back later.
    init(target: Nanoseconds, canRewind: Bool) {
        frames = SongFrames(target: target)
        self.canRewind = canRewind
    }

    /// Where sound is to continue; earlier sound is discarded.
    var target: Nanoseconds {
        get { frames.target }
        set { frames.target = newValue }
    }

    /// Where the next frame lies in the track.
    var place: Nanoseconds { frames.place }

    /// True if the track's last frame was pulled, whatever the decoder still gives.
    var isCut: Bool { frames.isCut }

    /// True if nothing waits to be taken.
    var isEmpty: Bool { chunks.isEmpty && !change.holdsBack }

    /// The rate and channels of the next frame.
    var layout: SampleLayout? { chunks.first?.layout }

    /// The layout that it is brought to; nil leaves it as it is.
    var carrier: SampleLayout? { change.target }

    /// The layout that it has, or had last; nil if that isn't known yet.
    var lastLayout: SampleLayout? { carrier ?? layout ?? frames.layout }

    /// How many frames have been pulled and not taken.
    var waiting: Int { chunks.reduce(0) { $0 + $1.left } }

    /// Forgets the sound pulled so far and continues at `target`.
    mutating func reset(to target: Nanoseconds) {
        frames.reset(to: target)
        change.reset()
        (chunks, given, stale) = ([], [], 0)
    }

    // MARK: Pulling

    /// Pulls until at least `count` frames wait; false if the source has no more of the track at the moment.
    mutating func fill(frames count: Int, from source: some SoundSource, within bounds: SongFrames.Bounds) -> Bool {
        while waiting < count {
            guard !frames.isCut, let piece = source.pull() else { return false }
            append(piece, within: bounds)
        }
        return true
    }

    /// Nothing more comes: what was held back for its successors is given as well.
    mutating func finish() {
        if change.holdsBack, let rest = change.finish() { add(rest) }
    }

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
    ///
    /// Sound that waits is brought there, too; nil is for when there is none.
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

    /// Takes at most `count` frames of one layout; nil if none wait.
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

    /// Counts its time from zero again, without a break in the sound.
    mutating func restartCount() { frames.restart(layout) }

    /// Discards what stands before the newest sound of a stream that was not listened to: one piece that was offered
    /// and one that waited behind it.
    mutating func skipStale() { stale = 2 }
}
