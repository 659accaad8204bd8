import AudioFiles

/// Samples of one layout, and how many of them are used already.
struct SoundChunk {
    /// Rate and channels.
    var layout: SampleLayout
    /// The samples, interleaved.
    var samples: [Float]
    /// The same as whole numbers of 32 bits, as many, where floats don't hold them.
    var integers: [Int32]?
    /// How many of the samples are used.
    var taken = 0

    /// How many frames are left.
    var left: Int { (samples.count - taken) / layout.channels }

    /// True if another chunk can follow on it within one.
    func takes(_ next: SoundChunk) -> Bool {
        layout == next.layout && (integers == nil) == (next.integers == nil) && next.taken == 0
    }

    /// Adds a chunk that it takes.
    mutating func append(_ next: SoundChunk) {
        samples += next.samples
        if let added = next.integers { integers?.append(contentsOf: added) }
    }

    /// Gives the samples of a range of them, counted from the first.
    func part(_ range: Range<Int>) -> SoundChunk {
        SoundChunk(layout: layout, samples: Array(samples[range]), integers: integers.map { Array($0[range]) })
    }

    /// Removes samples from the end.
    mutating func removeLast(_ count: Int) {
        samples.removeLast(count)
        integers?.removeLast(count)
    }
}
