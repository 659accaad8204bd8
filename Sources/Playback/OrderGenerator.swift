/// The random numbers behind random order and shuffling: SplitMix64, so that a test can repeat a run by its seed.
struct OrderGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts from a seed; nil takes one from the system.
    init(seed: UInt64? = nil) { state = seed ?? UInt64.random(in: .min ... .max) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
