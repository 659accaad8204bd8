import Glibc

/// Writes and plays the demo album's music: chords, a bass and a melody on plucked strings, from a few numbers each.
struct DemoComposer {
    struct Piece: Sendable {
        /// Beats a minute.
        var tempo: Double
        /// The key note, as a MIDI number.
        var key: Int
        var isMinor: Bool
        /// The roots of the chords, as steps of the scale, one to a bar.
        var chords: [Int]
        var seed: UInt32
        var bars: Int { max(6, Int(24 * tempo / 240)) }

        init(_ tempo: Double, _ key: Int, _ isMinor: Bool, _ chords: [Int], _ seed: UInt32) {
            (self.tempo, self.key, self.isMinor, self.chords, self.seed) = (tempo, key, isMinor, chords, seed)
        }
    }

    private static let rate = 44100.0
    private static let tableSize = 2048
    private let piece: Piece
    private let string: [Float]
    private let pad: [Float]
    private var random: UInt32
    /// The left and the right side in turn.
    private var samples: [Float]

    private init(_ piece: Piece) {
        self.piece = piece
        random = piece.seed
        string = Self.wave([1, 0.5, 0.32, 0.18, 0.12, 0.07, 0.04, 0.02])
        pad = Self.wave([1, 0.22, 0.3, 0.05, 0.08])
        let seconds = Double(piece.bars * 4) * 60 / piece.tempo + 2
        samples = [Float](repeating: 0, count: 2 * Int(seconds * Self.rate))
    }

    /// Plays a piece as 16-bit stereo samples of 44.1 kHz, interleaved.
    static func play(_ piece: Piece) -> [Int16] {
        var composer = DemoComposer(piece)
        for bar in 0..<piece.bars { composer.play(bar: bar) }
        composer.echo()
        return composer.mixed()
    }

    private static func wave(_ harmonics: [Float]) -> [Float] {
        (0..<tableSize).map { index in
            harmonics.enumerated().reduce(Float(0)) { sum, harmonic in
                let angle = 2 * Float.pi * Float(index) * Float(harmonic.offset + 1) / Float(tableSize)
                return sum + harmonic.element * sin(angle)
            }
        }
    }

    private mutating func draw(_ limit: Int) -> Int {
        random = random &* 1_664_525 &+ 1_013_904_223
        return Int(random >> 16) % limit
    }

    /// The MIDI number of a step of the scale, which may lie below or above the octave.
    private func note(_ step: Int) -> Int {
        let scale = piece.isMinor ? [0, 2, 3, 5, 7, 8, 10] : [0, 2, 4, 5, 7, 9, 11]
        let octave = Int((Double(step) / 7).rounded(.down))
        return piece.key + scale[step - octave * 7] + 12 * octave
    }

    private mutating func play(bar: Int) {
        let beat = 60 / piece.tempo
        let start = Double(bar * 4) * beat
        let root = piece.chords[bar % piece.chords.count]
        let isLast = bar == piece.bars - 1
        for (voice, step) in [root, root + 2, root + 4].enumerated() {
            let pan = Float(voice) * 0.3 + 0.2
            sound(
                pad, note(step), at: start, seconds: beat * (isLast ? 5 : 4), level: 0.09, decay: 0.5, attack: 0.25,
                pan: pan)
        }
        sound(string, note(root) - 24, at: start, seconds: beat * 2, level: 0.3, decay: 1.6, attack: 0.005, pan: 0.5)
        guard !isLast else {
            return sound(string, note(7), at: start, seconds: beat * 4, level: 0.2, decay: 1.4, attack: 0.004, pan: 0.5)
        }
        sound(
            string, note(root) - 12, at: start + beat * 2, seconds: beat * 2, level: 0.2, decay: 1.8, attack: 0.005,
            pan: 0.45)
        arpeggio(root, start, beat)
        if bar >= 1 { melody(root, start, beat) }
    }

    private mutating func arpeggio(_ root: Int, _ start: Double, _ beat: Double) {
        for (index, step) in [0, 4, 2, 4].enumerated() {
            let time = start + (Double(index) + 0.5) * beat
            sound(
                string, note(root + step), at: time, seconds: beat * 1.2, level: 0.07, decay: 3.5, attack: 0.003,
                pan: 0.75)
        }
    }

    private mutating func melody(_ root: Int, _ start: Double, _ beat: Double) {
        let rhythms = [[0, 1, 2, 3], [0, 1.5, 2, 3], [0, 0.5, 1, 2.5], [0, 2, 3, 3.5], [0, 1, 1.5, 2.5]]
        var step = root + [2, 4, 7][draw(3)]
        for (index, moment) in rhythms[draw(rhythms.count)].enumerated() {
            if index > 0 { step += [-2, -1, 1, 2, 1, -1][draw(6)] }
            step = max(2, min(11, step))
            sound(
                string, note(step) + 12, at: start + moment * beat, seconds: beat * 1.8, level: 0.15, decay: 2.6,
                attack: 0.004,
                pan: 0.3)
        }
    }

    private mutating func sound(
        _ table: [Float], _ midi: Int, at time: Double, seconds: Double, level: Float, decay: Float, attack: Double,
        pan: Float
    ) {
        let step = Float(440 * pow(2, Double(midi - 69) / 12) / Self.rate * Double(Self.tableSize))
        let start = Int(time * Self.rate)
        let count = min(Int(seconds * Self.rate), samples.count / 2 - start)
        let rise = max(1, Int(attack * Self.rate))
        let fall = min(count / 4, 4000)
        let shrink = exp(-decay / Float(Self.rate))
        guard count > 0 else { return }
        // As pointers, since builds for tests check every index of an array.
        table.withUnsafeBufferPointer { table in
            samples.withUnsafeMutableBufferPointer { samples in
                var (phase, loudness, index) = (Float(0), level, 0)
                while index < count {
                    var value = table[Int(phase)] * loudness
                    if index < rise { value *= Float(index) / Float(rise) }
                    if index >= count - fall { value *= Float(count - index) / Float(fall) }
                    samples[2 * (start + index)] += value * (1 - pan)
                    samples[2 * (start + index) + 1] += value * pan
                    loudness *= shrink
                    phase += step
                    if phase >= 2048 { phase -= 2048 }
                    index += 1
                }
            }
        }
    }

    /// Lets each side answer the other, later and softer.
    private mutating func echo() {
        let delay = 2 * Int(60 / piece.tempo * 0.75 * Self.rate)
        samples.withUnsafeMutableBufferPointer { samples in
            var index = delay
            while index < samples.count {
                let before = samples[index - delay]
                samples[index] += samples[index - delay + 1] * 0.28
                samples[index + 1] += before * 0.28
                index += 2
            }
        }
    }

    private func mixed() -> [Int16] { samples.map { Int16(max(-1, min(1, $0 * 0.8)) * 32767) } }
}
