/// Sound on its way from the decks to the outputs.
struct MixedSound {
    /// The samples, interleaved.
    var samples: [Float]
    /// The same without ReplayGain, if some output wants it so.
    var plain: [Float]?
    /// The song's own samples as whole numbers of 32 bits, before ReplayGain, where floats don't hold them and nothing but
    /// ReplayGain has changed them.
    var integers: [Int32]?
    /// Whether ReplayGain has changed `samples`.
    var isLevelled = false
}
