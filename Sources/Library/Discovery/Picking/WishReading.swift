package import MusicModel

/// The names that a wish can be made of, the most frequent ones first.
package struct WishVocabulary: Hashable, Sendable {
    /// Names of genres.
    package var genres: [String]
    /// Names of moods.
    package var moods: [String]

    /// Takes names in their order.
    package init(genres: [String], moods: [String]) { (self.genres, self.moods) = (genres, moods) }
}

/// Reads wishes in words better than rules can.
package protocol WishReading: Sendable {
    /// Reads a wish.
    /// - Parameter vocabulary: the library's names; the result has no others.
    /// - Throws: `WishReadingError`, or `CancellationError`.
    func read(_ wish: String, _ vocabulary: WishVocabulary) async throws -> PickWish
}

/// Why a wish was not read, as the beginning of a sentence for the listener; free of secrets and of what servers say.
package struct WishReadingError: ChainedError, Hashable {
    /// The beginning of the sentence, such as `the prompt server can't be reached`.
    package let description: String
    package let origin: ErrorOrigin

    /// Takes the words, and the error that a request failed with, which only the log shows.
    package init(_ description: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line) {
        self.description = description
        origin = ErrorOrigin(cause, file: file, line: line)
    }
}

/// A wish in words as it was read.
package struct ReadWish: Hashable, Sendable {
    /// The query that the words mean; may be empty.
    package var wish: PickWish
    /// Why it was read by rules although something better is there; nil where it was not.
    package var trouble: String?

    /// Reads a wish by `reader`, and by rules where there is none, where it fails, or where it finds nothing.
    package init(_ text: String, _ vocabulary: WishVocabulary, by reader: (any WishReading)?) async throws {
        do {
            wish = try await reader?.read(text, vocabulary) ?? PickWish()
            if !wish.isEmpty { return }
            trouble = reader == nil ? nil : "the prompt server found nothing in it"
        } catch let error as WishReadingError {
            trouble = error.description
        }
        wish = PickWish(reading: text, genres: vocabulary.genres, moods: vocabulary.moods)
    }

    /// The sentence that tells the listener how it was read.
    package var sentence: String {
        let found =
            wish.isEmpty
            ? "the library has no genre and no mood of these words, and they name no years"
            : "looking for \(wish.sentence)"
        return trouble.map { "\($0), so rules read it: \(found)" } ?? found
    }
}

extension SongCatalogue {
    /// The names of genres and moods, by how many songs have them.
    package var vocabulary: WishVocabulary {
        var (genreCounts, moodCounts) = ([UInt32: Int](), [UInt32: Int]())
        for slot in 0..<count {
            for genre in genres(at: slot) { genreCounts[genre, default: 0] += 1 }
            for mood in moods(at: slot) { moodCounts[mood, default: 0] += 1 }
        }
        return WishVocabulary(
            genres: Self.byFrequency(genreNames, genreCounts), moods: Self.byFrequency(moodNames, moodCounts))
    }

    private static func byFrequency(_ names: [UInt32: String], _ counts: [UInt32: Int]) -> [String] {
        names.map { (name: $1, count: counts[$0] ?? 0) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }.map(\.name)
    }
}
