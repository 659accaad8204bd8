import AudioFiles
import AudioOutputs
import Coordination

/// How fast songs play, and the sound that is being stretched for that; stations play as fast as they send.
struct PlayingSpeed {
    var speed = 1.0
    private var stretch: TimeStretch?
    /// The state of the sound that is being stretched.
    private var (layout, stretched, hasPlain) = (SampleLayout(rate: 0, channels: 0), 1.0, false)

    private var held: Int { stretch?.held ?? 0 }

    /// True if the next sound has to go a way of its own: what is held back comes first, by `finish`.
    func mustFinish(before block: SampleBlock) -> Bool {
        stretch != nil
            && (block.layout != layout || speed != stretched || (block.plainSamples != nil) != hasPlain)
    }

    /// Takes sound and gives what it makes; nil while more is needed.
    mutating func process(_ block: SampleBlock) -> SampleBlock? {
        guard speed != 1 else { return block }
        let (layout, plain) = (block.layout, block.plainSamples)
        // Both have to be cut at the same positions.
        let width = plain == nil ? 1 : 2
        if stretch == nil {
            (self.layout, stretched, hasPlain) = (layout, speed, plain != nil)
            stretch = TimeStretch(
                speed: speed, layout: SampleLayout(rate: layout.rate, channels: layout.channels * width))
        }
        let behind = held
        let joined = plain.map { Self.join(block.samples, $0, channels: layout.channels) } ?? block.samples
        guard let output = stretch?.process(joined), !output.isEmpty else { return nil }
        return made(of: output, behind: behind, play: block.play, place: block.place, speed: block.speed * speed)
    }

    /// Gives what is held back, as it was recorded; nil if nothing is.
    mutating func finish(play: UInt64, place: Nanoseconds) -> SampleBlock? {
        defer { stretch = nil }
        let behind = held
        guard behind > 0, let output = stretch?.finish(), !output.isEmpty else { return nil }
        return made(of: output, behind: behind, play: play, place: place, speed: 1)
    }

    mutating func reset() { stretch = nil }

    /// The sound that was made, which begins before the position of the sound that came last.
    private func made(of output: [Float], behind: Int, play: UInt64, place: Nanoseconds, speed: Double) -> SampleBlock {
        let (samples, plain) = hasPlain ? Self.part(output, channels: layout.channels) : (output, nil)
        var block = SampleBlock(layout: layout, samples: samples)
        block.plainSamples = plain
        (block.play, block.place, block.speed) = (play, place - layout.length(frames: behind), speed)
        return block
    }

    private static func join(_ one: [Float], _ other: [Float], channels: Int) -> [Float] {
        var joined: [Float] = []
        joined.reserveCapacity(one.count * 2)
        for start in stride(from: 0, to: min(one.count, other.count), by: channels) {
            joined += one[start..<start + channels]
            joined += other[start..<start + channels]
        }
        return joined
    }

    private static func part(_ joined: [Float], channels: Int) -> ([Float], [Float]?) {
        var (one, other): ([Float], [Float]) = ([], [])
        for start in stride(from: 0, to: joined.count, by: channels * 2) {
            one += joined[start..<start + channels]
            other += joined[start + channels..<start + 2 * channels]
        }
        return (one, other)
    }
}

/// Makes mixed sound last longer or shorter without changing its pitch, by overlapping short stretches of it where they
/// are most alike (WSOLA). Joins and changes of the speed are no break; less than a tenth of a second is held back.
struct TimeStretch {
    /// The length of a stretch, in seconds; with shorter ones low notes warble, with longer ones there is an echo.
    private static let stretch = 0.060
    /// How long two of them overlap.
    private static let overlap = 0.012
    /// How far ahead the next one is looked for.
    private static let search = 0.015
    private let speed: Double
    private let channels: Int
    private let lengths: (stretch: Int, overlap: Int, search: Int)
    private var input: [Float] = []
    /// The sound behind the stretch that was given last; the next one fades in over it.
    private var tail: [Float] = []
    /// The part of a frame that steps lag behind.
    private var fraction = 0.0

    /// - Parameter speed: more than 0; the engine allows 0.5 to 3.
    init(speed: Double, layout: SampleLayout) {
        self.speed = speed
        channels = layout.channels
        let rate = Double(layout.rate)
        lengths = (max(8, Int(rate * Self.stretch)), max(2, Int(rate * Self.overlap)), max(1, Int(rate * Self.search)))
    }

    var held: Int { input.count / channels }

    /// Takes the next frames and gives what they make; empty while more are needed.
    mutating func process(_ samples: [Float]) -> [Float] {
        input += samples
        var output: [Float] = []
        let (stretch, overlap, search) = lengths
        let step = stretch - overlap
        var used = 0
        while true {
            let exact = Double(step) * speed + fraction
            let skip = Int(exact)
            let needed = max(skip, stretch + search)
            guard input.count / channels - used >= needed else { break }
            let from = used + (tail.isEmpty ? 0 : bestOffset(from: used))
            append(to: &output, from: from, step: step, overlap: overlap)
            fraction = exact - Double(skip)
            used += skip
        }
        input.removeFirst(used * channels)
        return output
    }

    /// Gives what was held back, as fast as it was recorded: the sound ends, or continues otherwise.
    mutating func finish() -> [Float] {
        defer { (input, tail, fraction) = ([], [], 0) }
        guard !tail.isEmpty else { return input }
        guard input.count >= tail.count else { return [] }
        var output: [Float] = []
        fade(into: &output, from: 0, frames: tail.count / channels)
        return output + input[tail.count...]
    }

    private mutating func append(to output: inout [Float], from: Int, step: Int, overlap: Int) {
        output.reserveCapacity(output.count + step * channels)
        var begin = from
        if !tail.isEmpty {
            fade(into: &output, from: from, frames: overlap)
            begin += overlap
        }
        let end = from + step
        output += input[begin * channels..<end * channels]
        tail = Array(input[end * channels..<(end + overlap) * channels])
    }

    /// Lets the tail fade out while the input from a frame on fades in.
    private func fade(into output: inout [Float], from: Int, frames: Int) {
        for frame in 0..<frames {
            let share = (Float(frame) + 0.5) / Float(frames)
            for channel in 0..<channels {
                let old = tail[frame * channels + channel]
                let new = input[(from + frame) * channels + channel]
                output.append(old + (new - old) * share)
            }
        }
    }

    /// Where the input is most like the tail: looked for in coarse steps first, then around the best of them.
    private func bestOffset(from used: Int) -> Int {
        let coarse = max(1, lengths.search / 80)
        let rough = best(in: stride(from: 0, to: lengths.search, by: coarse), from: used, every: coarse)
        let near = stride(from: max(0, rough - coarse), to: min(lengths.search, rough + coarse + 1), by: 1)
        return best(in: near, from: used, every: 1)
    }

    private func best(in offsets: StrideTo<Int>, from used: Int, every: Int) -> Int {
        input.withUnsafeBufferPointer { input in
            tail.withUnsafeBufferPointer { tail in
                var (best, bestLikeness) = (0, -Float.infinity)
                let count = lengths.overlap * channels
                for offset in offsets {
                    let base = (used + offset) * channels
                    var (product, energy): (Float, Float) = (0, 1e-9)
                    var index = 0
                    while index < count {
                        let sample = input[base + index]
                        product += sample * tail[index]
                        energy += sample * sample
                        // Steps of an odd count of samples see all channels in turn.
                        index += every | 1
                    }
                    let likeness = product / energy.squareRoot()
                    if likeness > bestLikeness { (best, bestLikeness) = (offset, likeness) }
                }
                return best
            }
        }
    }
}
