/// Dither for 16 bits: noise of two least bits that turns the error of rounding into an even hiss.
struct Dither {
    private var state: UInt32 = 0x9E37_79B9

    /// Adds the noise, unless the samples are 16 bits already, as those of a CD at full volume: they stay exact.
    mutating func apply(to samples: inout [Float]) {
        guard !Self.fits(samples) else { return }
        samples.withUnsafeMutableBufferPointer { buffer in
            for index in buffer.indices {
                let noise = next() + next()
                buffer[index] += noise * (0.5 / 32768)
            }
        }
    }

    /// True if every sample is a whole number of steps of 16 bits.
    static func fits(_ samples: [Float]) -> Bool {
        samples.withUnsafeBufferPointer { buffer in
            for sample in buffer {
                let scaled = sample * 32768
                if scaled != scaled.rounded(.toNearestOrEven) { return false }
            }
            return true
        }
    }

    /// A number between -1 and 1.
    private mutating func next() -> Float {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return Float(Int32(bitPattern: state)) * (1 / 2_147_483_648)
    }
}
