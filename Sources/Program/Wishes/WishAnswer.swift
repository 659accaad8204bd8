import Discovery
import Foundation
import MusicModel

/// A model's answer as a query of the library. All of it is made up until it is checked.
struct WishAnswer: Decodable {
    static let lists = ["genres", "moods"]
    static let numbers = ["year_from", "year_to", "energy_from", "energy_to", "tempo_from", "tempo_to"]
    private static let maxNames = 30

    private let genres: [String]?
    private let moods: [String]?
    private let yearFrom, yearTo, energyFrom, energyTo, tempoFrom, tempoTo: Double?

    private enum CodingKeys: String, CodingKey {
        case genres, moods
        case yearFrom = "year_from"
        case yearTo = "year_to"
        case energyFrom = "energy_from"
        case energyTo = "energy_to"
        case tempoFrom = "tempo_from"
        case tempoTo = "tempo_to"
    }

    private struct Chat: Decodable {
        struct Choice: Decodable {
            struct Message: Decodable {
                var content: String?
            }
            var message: Message?
        }
        var choices: [Choice]?
    }

    /// Reads the body of an answer; nil for anything but one query in its envelope.
    static func read(_ body: Data) -> WishAnswer? {
        guard let chat = try? JSONDecoder().decode(Chat.self, from: body),
            let content = chat.choices?.first?.message?.content, let object = object(in: content)
        else { return nil }
        return try? JSONDecoder().decode(WishAnswer.self, from: Data(object.utf8))
    }

    /// The JSON object in a text, behind thoughts and between fences, as models without a schema write it.
    private static func object(in content: String) -> Substring? {
        let answer = content.ranges(of: "</think>").last.map { content[$0.upperBound...] } ?? content[...]
        guard let start = answer.firstIndex(of: "{"), let end = answer.utf8.lastIndex(of: UInt8(ascii: "}")),
            start < end
        else {
            return nil
        }
        return answer[start...end]
    }

    /// The query: names that the library has, and numbers that songs can have.
    func wish(_ vocabulary: WishVocabulary) -> PickWish {
        var wish = PickWish()
        wish.genres = Self.known(genres, vocabulary.genres)
        wish.moods = Self.known(moods, vocabulary.moods)
        let years = PickWish.possibleYears
        wish.years = Self.range(yearFrom, yearTo, within: Double(years.lowerBound)...Double(years.upperBound)).map {
            // Numbers within the possible years are safe to convert.
            Int($0.lowerBound.rounded())...Int($0.upperBound.rounded())
        }
        wish.energy = Self.range(energyFrom, energyTo, within: PickWish.possibleEnergies)
        wish.tempo = Self.range(tempoFrom, tempoTo, within: PickWish.possibleTempos)
        return wish
    }

    private static func known(_ names: [String]?, _ vocabulary: [String]) -> Set<String> {
        let answered = (names ?? []).prefix(maxNames).filter { !$0.hasControls }.map(PickWish.plain)
        if answered.isEmpty { return [] }
        return Set(answered).intersection(vocabulary.lazy.map(PickWish.plain)).subtracting([""])
    }

    /// A range between two numbers in any order; nil where neither is there, or all that is possible is between them.
    private static func range(
        _ from: Double?, _ to: Double?, within possible: ClosedRange<Double>
    ) -> ClosedRange<Double>? {
        let ends = [from ?? possible.lowerBound, to ?? possible.upperBound]
        guard ends.allSatisfy(\.isFinite) else { return nil }
        let (lower, upper) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
        let range = lower.clamped(to: possible)...upper.clamped(to: possible)
        return range == possible ? nil : range
    }
}
