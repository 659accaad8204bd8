import Coordination

/// What the fake Navidrome makes of texts, the same in every run.
extension SplitMix64 {
    /// A number that belongs to a text.
    static func hash(_ text: String) -> UInt64 {
        var hash = FNV1a()
        hash.combine(text)
        var generator = SplitMix64(seed: hash.value)
        return generator.next()
    }

    /// An id of 22 letters and digits that belongs to a text, as Navidrome's ids look.
    static func id(for text: String) -> String {
        var generator = SplitMix64(seed: hash(text))
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        var bits = generator.next()
        var id: [UInt8] = []
        for index in 0..<22 {
            if index == 11 { bits = generator.next() }
            id.append(letters[Int(bits % 62)])
            bits /= 62
        }
        return String(decoding: id, as: UTF8.self)
    }
}
