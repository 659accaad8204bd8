import Discovery
import Foundation

/// Reads any bytes as a model's answer, for tests that feed arbitrary ones.
package enum WishAnswerReading {
    private static let vocabulary = WishVocabulary(
        genres: ["Jazz", "Trip-Hop", "Rock", "Ünü", "{", "\u{202e}x"], moods: ["Dreamy", "Calm"])

    /// Reads the bytes; what is no answer is passed over.
    ///
    /// - Parameter isContent: whether they are what the model wrote, and not the envelope around it as well.
    /// - Returns: what the library doesn't have, or no song can; nil where all of the query is possible.
    package static func complaint(about bytes: [UInt8], isContent: Bool) -> String? {
        guard let answer = WishAnswer.read(isContent ? envelope(bytes) : Data(bytes)) else { return nil }
        let wish = answer.wish(vocabulary)
        let names = (Set(vocabulary.genres.map(PickWish.plain)), Set(vocabulary.moods.map(PickWish.plain)))
        if !wish.genres.isSubset(of: names.0) { return "the genres \(wish.genres)" }
        if !wish.moods.isSubset(of: names.1) { return "the moods \(wish.moods)" }
        if let years = wish.years, years.clamped(to: PickWish.possibleYears) != years { return "the years \(years)" }
        if let energy = wish.energy, energy.clamped(to: PickWish.possibleEnergies) != energy {
            return "the energy \(energy)"
        }
        if let tempo = wish.tempo, tempo.clamped(to: PickWish.possibleTempos) != tempo { return "the tempo \(tempo)" }
        return wish.sentence.utf8.count <= 1000 ? nil : "a sentence of \(wish.sentence.utf8.count) bytes"
    }

    private static func envelope(_ content: [UInt8]) -> Data {
        let message = ["content": String(decoding: content, as: UTF8.self)]
        let body = ["choices": [["message": message]]]
        return (try? JSONSerialization.data(withJSONObject: body)) ?? Data()
    }
}
