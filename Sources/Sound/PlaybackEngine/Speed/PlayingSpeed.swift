import AudioFiles

/// How fast songs play, and the sound that is being stretched for that.
///
/// Stations play as fast as they send.
/// - Isolation: the engine's thread.
struct PlayingSpeed {
    /// Sound that is ready for the outputs.
    struct Piece {
        var sound: MixedSound
        /// How many frames the track is further, at the beginning of the piece, than at the place that came with it.
        var behind: Int
        /// How many times as fast as the track it is.
        var speed: Double
    }

    /// The speed that is wanted: 1 is as it was recorded.
    var speed = 1.0
    private var stretch: TimeStretch?
    /// The state of the sound that is being stretched.
    private var (layout, stretched, hasPlain) = (SampleLayout(rate: 0, channels: 0), 1.0, false)

    /// The layout of sound that is held back; nil if none is.
    var heldLayout: SampleLayout? { stretch.map { $0.held > 0 ? layout : nil } ?? nil }

    /// Whether the next sound has to go a way of its own: what is held back comes first, by `finish`.
    func mustFinish(before layout: SampleLayout, hasPlain: Bool) -> Bool {
        stretch != nil && (layout != self.layout || speed != stretched || hasPlain != self.hasPlain)
    }

    /// Takes sound and gives what it makes; nil while more is needed.
    mutating func process(_ sound: MixedSound, _ layout: SampleLayout) -> Piece? {
        guard speed != 1 else { return Piece(sound: sound, behind: 0, speed: 1) }
        // Both have to be cut at the same places.
        let width = sound.plain == nil ? 1 : 2
        if stretch == nil {
            (self.layout, stretched, hasPlain) = (layout, speed, sound.plain != nil)
            stretch = TimeStretch(
                speed: speed, layout: SampleLayout(rate: layout.rate, channels: layout.channels * width))
        }
        let behind = stretch?.held ?? 0
        let joined = sound.plain.map { Self.join(sound.samples, $0, channels: layout.channels) } ?? sound.samples
        guard let output = stretch?.process(joined), !output.isEmpty else { return nil }
        return piece(output, behind: behind, speed: speed)
    }

    /// Gives what is held back, as it was recorded; nil if nothing is.
    mutating func finish() -> Piece? {
        defer { stretch = nil }
        let behind = stretch?.held ?? 0
        guard let output = stretch?.finish(), !output.isEmpty else { return nil }
        return piece(output, behind: behind, speed: 1)
    }

    /// Forgets what is held back: the sound goes on elsewhere.
    mutating func reset() { stretch = nil }

    private func piece(_ output: [Float], behind: Int, speed: Double) -> Piece {
        guard hasPlain else { return Piece(sound: MixedSound(samples: output), behind: behind, speed: speed) }
        let (samples, plain) = Self.part(output, channels: layout.channels)
        return Piece(sound: MixedSound(samples: samples, plain: plain), behind: behind, speed: speed)
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

    private static func part(_ joined: [Float], channels: Int) -> ([Float], [Float]) {
        var (one, other): ([Float], [Float]) = ([], [])
        for start in stride(from: 0, to: joined.count, by: channels * 2) {
            one += joined[start..<start + channels]
            other += joined[start + channels..<start + 2 * channels]
        }
        return (one, other)
    }
}
