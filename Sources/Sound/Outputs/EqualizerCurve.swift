import Glibc
import MusicModel

/// An equalizer: a gain before it, filters of a frequency, a gain and a width each, and a curve of points.
package struct EqualizerCurve: Hashable, Sendable {
    /// The shape of a filter, by the word that AutoEQ and Equalizer APO have for it.
    package enum Shape: String, Hashable, Sendable {
        /// A bell.
        case peak = "PK"
        /// Everything below the frequency.
        case lowShelf = "LSC"
        /// Everything above the frequency.
        case highShelf = "HSC"
    }

    /// One filter.
    package struct Band: Hashable, Sendable {
        /// The part of the sound that it changes.
        package var shape: Shape
        /// In hertz: the middle of a bell, or of a shelf's slope.
        package var frequency: Double
        /// In decibels.
        package var gain: Double
        /// How narrow it is.
        package var q: Double
    }

    /// The gain before the filters, in decibels; below zero, so that nothing becomes too loud.
    package var preamp = 0.0
    /// The filters, one after the other.
    package var bands: [Band] = []
    /// The points of the curve that the sound follows besides, by rising frequency; none is no such curve.
    package var points: [Point] = []

    /// The most filters that a curve may have.
    package static let maxBands = 64
    /// The middles of ten bands, an octave apart.
    package static let tenBands = [31.25, 62.5, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    /// The width of a band that ends where the next begins.
    private static let octave = 1.414

    /// Reads a curve: AutoEQ's `ParametricEQ.txt` and `FixedBandEQ.txt`, or the same in short, with semicolons between
    /// the filters: `-6; PK 105 -2.5 1.41; HSC 10000 3 0.7`. Ten numbers are the gains of ten bands. A line of AutoEQ's
    /// `GraphicEQ.txt`, `GraphicEQ: 20 -1.2; 21 -1.3`, is a curve of points.
    /// - Throws: `SettingProblem` for what is none, with the part that isn't understood.
    package init(_ text: String) throws(SettingProblem) {
        guard text.utf8.count <= 65_536 else { throw SettingProblem("it is too long for an equalizer") }
        var others: [Substring] = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard let points = try Self.points(of: line) else {
                others.append(line)
                continue
            }
            guard self.points.isEmpty else { throw SettingProblem("it has two lines with points") }
            self.points = points
        }
        let parts = others.flatMap { $0.split(separator: ";") }.map { part in
            part.split { " \t,:".contains($0) }.map(String.init)
        }
        let lines = parts.filter { !($0.first?.hasPrefix("#") ?? true) }
        if lines.count == 1, lines[0].count == Self.tenBands.count {
            for (frequency, word) in zip(Self.tenBands, lines[0]) {
                let gain = try Self.number(word, Self.gains)
                bands.append(Band(shape: .peak, frequency: frequency, gain: gain, q: Self.octave))
            }
            return
        }
        for words in lines { try read(words) }
        guard bands.count <= Self.maxBands else {
            throw SettingProblem("it has \(bands.count) filters; \(Self.maxBands) are the most")
        }
    }

    private mutating func read(_ words: [String]) throws(SettingProblem) {
        var words = words.filter { $0.lowercased() != "db" && $0.lowercased() != "hz" }
        if words.first?.lowercased() == "preamp" { words.removeFirst() }
        if words.count == 1 {
            preamp = try Self.number(words[0], -60...30)
            return
        }
        // "Filter 3: ON PK Fc 105 Hz Gain -2.5 dB Q 1.41"
        if words.first?.lowercased() == "filter" {
            words.removeFirst()
            if words.first.flatMap({ Int($0) }) != nil { words.removeFirst() }
            guard let state = words.first?.uppercased(), ["ON", "OFF"].contains(state) else {
                throw Self.unknown(words)
            }
            if state == "OFF" { return }
            words.removeFirst()
        }
        words.removeAll { ["fc", "gain", "q"].contains($0.lowercased()) }
        guard (3...4).contains(words.count), let shape = Self.shape(words[0]) else { throw Self.unknown(words) }
        let width = words.count > 3 ? words[3] : shape == .peak ? "1.414" : "0.7071"
        bands.append(
            Band(
                shape: shape, frequency: try Self.number(words[1], 1...192_000),
                gain: try Self.number(words[2], Self.gains), q: try Self.number(width, 0.05...100)))
    }

    static let gains = -40.0...40.0

    private static func shape(_ word: String) -> Shape? {
        switch word.uppercased() {
        case "PK", "PEQ", "PEAK": .peak
        case "LSC", "LS", "LSQ", "LOWSHELF": .lowShelf
        case "HSC", "HS", "HSQ", "HIGHSHELF": .highShelf
        default: nil
        }
    }

    static func number(_ word: String, _ range: ClosedRange<Double>) throws(SettingProblem) -> Double {
        guard let number = Double(word), number.isFinite else { throw unknown([word]) }
        guard range.contains(number) else {
            throw SettingProblem("\(number) is out of range: from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func unknown(_ words: [String], example: String = "PK 105 -2.5 1.41") -> SettingProblem {
        let line = words.joined(separator: " ").prefix(utf8: 80)
        return SettingProblem("\"\(line)\" is no filter; write \"\(example)\"")
    }
}

/// Curves that are drawn by points, as AutoEQ's `GraphicEQ.txt` has them.
extension EqualizerCurve {
    /// A position that the curve runs through.
    package struct Point: Hashable, Sendable {
        /// In hertz.
        package var frequency: Double
        /// In decibels.
        package var gain: Double
    }

    /// The most points that a curve may have.
    package static let maxPoints = 4096

    /// The gain of points at a frequency, in decibels: between two of them straight over the frequency's logarithm,
    /// beyond the ends that of the last one; 0 without points.
    package static func gain(of points: [Point], at frequency: Double) -> Double {
        guard let first = points.first, let last = points.last else { return 0 }
        if frequency <= first.frequency { return first.gain }
        if frequency >= last.frequency { return last.gain }
        var (low, high) = (0, points.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if points[middle].frequency <= frequency { low = middle } else { high = middle }
        }
        let (one, other) = (points[low], points[high])
        let share = log(frequency / one.frequency) / log(other.frequency / one.frequency)
        return one.gain + (other.gain - one.gain) * share
    }

    /// The points of a line such as `GraphicEQ: 20 -1.2; 21 -1.3`, by rising frequency; nil for any other line.
    static func points(of line: Substring) throws(SettingProblem) -> [Point]? {
        let line = line.drop { $0 == " " || $0 == "\t" }
        guard line.lowercased().hasPrefix("graphiceq") else { return nil }
        var points: [Point] = []
        for pair in line.dropFirst("graphiceq".count).split(separator: ";" as Character) {
            let words = pair.split(whereSeparator: { " \t,:".contains($0) }).map { String($0) }
            if words.isEmpty { continue }
            guard words.count == 2 else { throw unknown(words, example: "20 -1.5") }
            points.append(Point(frequency: try number(words[0], 1...192_000), gain: try number(words[1], gains)))
        }
        guard (1...maxPoints).contains(points.count) else {
            throw SettingProblem("it has \(points.count) points; from 1 to \(maxPoints) make a curve")
        }
        points.sort { $0.frequency < $1.frequency }
        for (one, next) in zip(points, points.dropFirst()) where one.frequency == next.frequency {
            throw SettingProblem("\(one.frequency) Hz stands there twice")
        }
        return points
    }
}
