import MusicModel

/// A wish in words, as a query of the library.
package struct PickWish: Hashable, Sendable {
    /// A part of a wish, in the order in which parts give way where nothing meets all of it.
    package enum Part: String, CaseIterable, Sendable {
        case tempo, energy, mood, years, genre
    }

    /// The longest text that is read, in characters.
    package static let maxTextLength = 300
    /// The years that songs can be of; a wish that ends there is open to that side.
    package static let possibleYears = 1000...2999
    /// The energies that songs can have.
    package static let possibleEnergies = 0.0...1.0
    /// The tempos that songs can have, in beats a minute.
    package static let possibleTempos = 20.0...400.0
    private static let tempoTolerance = 0.05
    private static let calm = 0.0...0.45
    private static let lively = 0.55...1.0
    private static let calmWords: Set<String> = [
        "calm", "quiet", "relaxed", "relaxing", "chill", "chilled", "slow", "soft", "gentle", "peaceful", "mellow",
    ]
    private static let livelyWords: Set<String> = [
        "energetic", "lively", "loud", "fast", "upbeat", "party", "workout", "wild", "powerful",
    ]
    private static let decadeWords = [
        "fifties": 1950, "sixties": 1960, "seventies": 1970, "eighties": 1980, "nineties": 1990,
    ]

    /// Genres in plain small letters, one of which a song has.
    package var genres: Set<String> = []
    /// Moods in plain small letters, one of which a song has.
    package var moods: Set<String> = []
    /// The years of release; nil is any.
    package var years: ClosedRange<Int>?
    /// How lively a song was measured, from 0 to 1; nil is any.
    package var energy: ClosedRange<Double>?
    /// How many beats a minute were measured in a song; nil is any.
    package var tempo: ClosedRange<Double>?

    /// Wishes for nothing.
    package init() {}
    /// True if there is nothing in it.
    package var isEmpty: Bool { self == PickWish() }

    /// Reads words by rules: the library's genres and moods, years, liveliness and `120 bpm`. It leaves out all others.
    package init(reading text: String, genres known: some Sequence<String>, moods knownMoods: some Sequence<String>) {
        var rest = " " + Self.plain(String(text.prefix(Self.maxTextLength))) + " "
        genres = Self.take(known, from: &rest)
        moods = Self.take(knownMoods, from: &rest)
        let words = rest.split(separator: " ").map(String.init)
        tempo = zip(words, words.dropFirst()).first { $1 == "bpm" }.flatMap { Self.tempo($0.0) }
        for word in words {
            if Self.calmWords.contains(word) { energy = Self.calm }
            if Self.livelyWords.contains(word) { energy = Self.lively }
            guard let found = Self.years(word) else { continue }
            years = years.map { min($0.lowerBound, found.lowerBound)...max($0.upperBound, found.upperBound) } ?? found
        }
    }

    /// Small letters and digits, with one space between words.
    package static func plain(_ text: String) -> String {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    }

    /// Finds names in a text and takes them out of it, long ones first: `indie rock` is not `rock`.
    private static func take(_ names: some Sequence<String>, from text: inout String) -> Set<String> {
        var found: Set<String> = []
        for name in Set(names.map(plain)).sorted(by: { ($0.count, $1) > ($1.count, $0) }) where !name.isEmpty {
            guard text.contains(" " + name + " ") else { continue }
            found.insert(name)
            text = text.replacing(" " + name + " ", with: "  ")
        }
        return found
    }

    /// The years that a word means: `1994`, `90s`, `1990s`, `nineties`.
    private static func years(_ word: String) -> ClosedRange<Int>? {
        if let decade = decadeWords[word] { return decade...decade + 9 }
        let isDecade = word.hasSuffix("s")
        let digits = isDecade ? word.dropLast() : Substring(word)
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits) else { return nil }
        switch (digits.count, isDecade) {
        case (4, true) where (1900...2090).contains(number): return number / 10 * 10...number / 10 * 10 + 9
        case (4, false) where (1900...2099).contains(number): return number...number
        case (2, true):
            let decade = number / 10 * 10 + (number >= 30 ? 1900 : 2000)
            return decade...decade + 9
        default: return nil
        }
    }

    private static func tempo(_ word: String) -> ClosedRange<Double>? {
        guard word.allSatisfy(\.isASCII), let beats = Double(word), possibleTempos.contains(beats) else { return nil }
        return beats * (1 - tempoTolerance)...beats * (1 + tempoTolerance)
    }

    /// The wish in words, such as `calm, jazz, 1990 to 1999`.
    package var sentence: String {
        var parts: [String] = []
        if let energy { parts.append(Self.words(energy)) }
        parts += moods.sorted() + genres.sorted()
        if let years { parts.append(Self.words(years, of: Self.possibleYears)) }
        if let tempo { parts.append(Self.words(Self.whole(tempo), of: Self.whole(Self.possibleTempos)) + " bpm") }
        return parts.joined(separator: ", ")
    }

    private static func words(_ energy: ClosedRange<Double>) -> String {
        if energy.upperBound <= 0.5 { return "calm" }
        if energy.lowerBound >= 0.5 { return "lively" }
        let ends = [energy.lowerBound, energy.upperBound].map { $0.clamped(to: possibleEnergies) }
        let percent = ends.map { Int(($0 * 100).rounded()) }
        return "energy of \(percent[0]) to \(percent[1]) percent"
    }

    private static func words(_ range: ClosedRange<Int>, of possible: ClosedRange<Int>) -> String {
        if range.lowerBound == range.upperBound { return String(range.lowerBound) }
        if range.lowerBound <= possible.lowerBound { return "up to \(range.upperBound)" }
        if range.upperBound >= possible.upperBound { return "from \(range.lowerBound) on" }
        return "\(range.lowerBound) to \(range.upperBound)"
    }

    private static func whole(_ tempo: ClosedRange<Double>) -> ClosedRange<Int> {
        let ends = [tempo.lowerBound, tempo.upperBound].map { Int($0.clamped(to: possibleTempos).rounded()) }
        return ends[0]...max(ends[0], ends[1])
    }
}

extension PickWish {
    /// The songs that meet the wish, by their slots; parts that nothing meets give way and are named.
    func narrowed(_ slots: [Int], _ catalogue: SongCatalogue, _ space: SoundSpace) -> (slots: [Int], left: [Part]) {
        let genreNumbers = Self.numbers(of: genres, catalogue.genreNames)
        let moodNumbers = Self.numbers(of: moods, catalogue.moodNames)
        func meets(_ part: Part, _ slot: Int) -> Bool {
            switch part {
            case .genre: genres.isEmpty || catalogue.genres(at: slot).contains { genreNumbers.contains($0) }
            case .mood: moods.isEmpty || catalogue.moods(at: slot).contains { moodNumbers.contains($0) }
            case .years: years?.contains(Int(catalogue.years[slot])) ?? true
            case .energy: Self.isIn(energy, space.traits(of: slot).energy)
            case .tempo: Self.isIn(tempo, space.traits(of: slot).measuredTempo)
            }
        }
        var left: [Part] = []
        while true {
            let wanted = Part.allCases.dropFirst(left.count)
            let found = slots.filter { slot in wanted.allSatisfy { meets($0, slot) } }
            guard found.isEmpty, left.count < Part.allCases.count else { return (found, left.filter { has($0) }) }
            left.append(Part.allCases[left.count])
        }
    }

    private static func isIn(_ range: ClosedRange<Double>?, _ measured: Float?) -> Bool {
        guard let range else { return true }
        return measured.map { range.contains(Double($0)) } ?? false
    }

    private func has(_ part: Part) -> Bool {
        switch part {
        case .tempo: tempo != nil
        case .energy: energy != nil
        case .mood: !moods.isEmpty
        case .years: years != nil
        case .genre: !genres.isEmpty
        }
    }

    private static func numbers(of names: Set<String>, _ known: [UInt32: String]) -> Set<UInt32> {
        Set(known.lazy.filter { names.contains(Self.plain($0.value)) }.map(\.key))
    }
}
