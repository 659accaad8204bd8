import MusicModel

/// A wish in words, as a query of the library.
package struct PickWish: Hashable, Sendable {
    /// A part of a wish, in the order in which parts give way where nothing meets all of it.
    package enum Part: String, CaseIterable, Sendable {
        case energy, mood, years, genre
    }

    /// The longest text that is read, in characters.
    private static let longestText = 300
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

    /// Wishes for nothing.
    package init() {}

    /// Whether there is nothing in it.
    package var isEmpty: Bool { self == PickWish() }

    /// Reads words by rules: names of the library's genres and moods, years and decades, and how lively it is to be.
    ///
    /// Words that it does not understand are left out.
    package init(reading text: String, genres known: some Sequence<String>, moods knownMoods: some Sequence<String>) {
        var rest = " " + Self.plain(String(text.prefix(Self.longestText))) + " "
        genres = Self.take(known, from: &rest)
        moods = Self.take(knownMoods, from: &rest)
        for word in rest.split(separator: " ").map(String.init) {
            if Self.calmWords.contains(word) { energy = Self.calm }
            if Self.livelyWords.contains(word) { energy = Self.lively }
            guard let found = Self.years(word) else { continue }
            years = years.map { min($0.lowerBound, found.lowerBound)...max($0.upperBound, found.upperBound) } ?? found
        }
    }

    /// Small letters and digits, with one space between words.
    static func plain(_ text: String) -> String {
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

    /// The wish in words, such as `calm, jazz, 1990 to 1999`.
    package var sentence: String {
        var parts: [String] = []
        if let energy { parts.append(energy.upperBound < 0.5 ? "calm" : "lively") }
        parts += moods.sorted() + genres.sorted()
        if let years {
            parts.append(
                years.lowerBound == years.upperBound
                    ? String(years.lowerBound) : "\(years.lowerBound) to \(years.upperBound)")
        }
        return parts.joined(separator: ", ")
    }
}

extension PickWish {
    /// The songs that meet the wish, by their slots; parts that nothing meets give way and are named.
    func narrowed(
        _ slots: [Int], _ catalogue: SongCatalogue, _ energies: [SongID: Double]
    ) -> (slots: [Int], left: [Part]) {
        let genreNumbers = Self.numbers(of: genres, catalogue.genreNames)
        let moodNumbers = Self.numbers(of: moods, catalogue.moodNames)
        var left: [Part] = []
        while true {
            let found = slots.filter { slot in
                if !left.contains(.genre), !genres.isEmpty,
                    !catalogue.genres(at: slot).contains(where: { genreNumbers.contains($0) })
                {
                    return false
                }
                if !left.contains(.mood), !moods.isEmpty,
                    !catalogue.moods(at: slot).contains(where: { moodNumbers.contains($0) })
                {
                    return false
                }
                if !left.contains(.years), let years, !years.contains(Int(catalogue.years[slot])) { return false }
                if !left.contains(.energy), let energy {
                    return energies[catalogue.ids[slot]].map { energy.contains($0) } ?? false
                }
                return true
            }
            guard found.isEmpty, left.count < Part.allCases.count else { return (found, left.filter { has($0) }) }
            left.append(Part.allCases[left.count])
        }
    }

    private func has(_ part: Part) -> Bool {
        switch part {
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
