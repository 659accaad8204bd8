enum Downmix {
    /// The mean of each frame's channels, within what sound can be; means that are no numbers are silence.
    static func mono(_ samples: UnsafeBufferPointer<Float>, channels: Int) -> [Float] {
        guard channels > 0 else { return [] }
        let frames = samples.count / channels
        return [Float](unsafeUninitializedCapacity: frames) { target, filled in
            for frame in 0..<frames {
                let mean = mean(samples, frame &* channels, channels)
                target.initializeElement(at: frame, to: mean.isFinite ? max(-8, min(8, mean)) : 0)
            }
            filled = frames
        }
    }

    @inline(__always)
    private static func mean(_ samples: UnsafeBufferPointer<Float>, _ start: Int, _ channels: Int) -> Float {
        if channels == 2 { return (samples[start] + samples[start &+ 1]) / 2 }
        var sum: Float = 0
        for channel in 0..<channels { sum += samples[start &+ channel] }
        return sum / Float(channels)
    }
}
