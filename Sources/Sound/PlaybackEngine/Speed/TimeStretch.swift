import AudioFiles

/// Makes sound last longer or shorter without changing its pitch, by overlapping short stretches of it where they are
/// most alike (WSOLA).
///
/// It works on the mixed sound, so songs join without a gap at any speed, and a change of the speed is no break. It
/// holds back less than a tenth of a second.
struct TimeStretch {
    /// The length of a stretch, in seconds; with shorter ones low notes warble, with longer ones there is an echo.
    private static let stretch = 0.060
    /// How long two of them overlap.
    private static let overlap = 0.012
    /// How far ahead the next one is looked for.
    private static let search = 0.015

    /// How many times as fast as it was recorded.
    private let speed: Double
    private let channels: Int
    private let lengths: (stretch: Int, overlap: Int, search: Int)
    /// The samples that were not used yet, interleaved.
    private var input: [Float] = []
    /// The sound behind the stretch that was given last; the next one fades in over it.
    private var tail: [Float] = []
    /// The part of a frame that steps lag behind.
    private var fraction = 0.0

    /// Prepares for a layout.
    ///
    /// - Parameter speed: more than 0; the engine allows 0.5 to 3.
    init(speed: Double, layout: SampleLayout) {
        self.speed = speed
        channels = layout.channels
        let rate = Double(layout.rate)
        lengths = (
            max(8, Int(rate * Self.stretch)), max(2, Int(rate * Self.overlap)), max(1, Int(rate * Self.search))
        )
    }

    /// How many frames of the input are held back.
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

    // MARK: Overlapping

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
