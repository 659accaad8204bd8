/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Some bytes of an alphabet.
    mutating func bytes(upTo count: Int, from alphabet: [UInt8]) -> [UInt8] {
        let length = Int.random(in: 0...count, using: &self)
        return (0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &self)] }
    }

    /// A text without line feeds and NUL, with what quoting must get right.
    mutating func text(length: Int) -> String {
        let alphabet = Array("ab \"'\\()é🎵\t:;=!")
        let count = Int.random(in: 0...length, using: &self)
        return String((0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &self)] })
    }
}
