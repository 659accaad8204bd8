import AudioFiles
import AudioOutputs

/// Brings a deck's sound to another layout, so that it can be mixed with another deck's.
struct LayoutChange {
    /// The layout that sound is brought to; nil leaves it as it is.
    private(set) var target: SampleLayout?
    /// True if the sound taken last is remembered, since it may soon be brought to another layout.
    var isExpected = false
    /// The converter that brings it there, once that was needed.
    private var converter: RateConverter?
    private var lastTaken: SoundChunk?

    /// True if the converter still has some of the sound.
    var holdsBack: Bool { converter?.holdsBack == true }

    /// Forgets the sound so far; the target stays.
    mutating func reset() { (converter, lastTaken, isExpected) = (nil, nil, false) }

    /// Goes over to another target, and gives what the converter still had for the one before.
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

    /// Gives the last of the sound, which the converter held back.
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
