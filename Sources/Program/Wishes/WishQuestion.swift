import Discovery
import Foundation
import MusicModel

/// A wish as it is sent: the words, and the names of the library that an answer can have. Nothing else leaves Segue.
struct WishQuestion {
    static let maxGenres = 100
    static let maxMoods = 40
    static let maxNameLength = 60
    /// How many tokens an answer may have; models that think aloud need more than the answer itself.
    private static let maxTokens = 2000

    private let wish: String
    private let genres: [String]
    private let moods: [String]

    init(_ wish: String, _ vocabulary: WishVocabulary) {
        self.wish = String(String.UnicodeScalarView(wish.withoutControls.unicodeScalars.prefix(PickWish.maxTextLength)))
        genres = Self.names(vocabulary.genres, max: Self.maxGenres)
        moods = Self.names(vocabulary.moods, max: Self.maxMoods)
    }

    /// The body of the request. The answer's form is demanded by a schema, which some servers can't.
    func body(model: String?, hasSchema: Bool) throws -> Data {
        var body: [String: Any] = [
            "messages": [
                ["role": "system", "content": try instruction()], ["role": "user", "content": wish],
            ],
            "temperature": 0, "max_tokens": Self.maxTokens, "stream": false,
        ]
        if let model { body["model"] = model }
        if hasSchema { body["response_format"] = Self.format }
        return try JSONSerialization.data(withJSONObject: body, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    private func instruction() throws -> String {
        """
        You turn a listener's wish into a query of their music library. Answer with one JSON object and nothing else. \
        genres and moods: names from the lists below that fit, spelled as they stand there. year_from and year_to: \
        years of release. energy_from and energy_to: 0 is calm, 1 is lively. tempo_from and tempo_to: beats a minute. \
        Where the wish says nothing about something, use null, and [] for lists. Don't answer with songs or artists.
        Genres: \(try Self.list(genres))
        Moods: \(try Self.list(moods))
        """
    }

    private static func list(_ names: [String]) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: names, options: .withoutEscapingSlashes)
        return String(decoding: data, as: UTF8.self)
    }

    /// Names of tags, which are anyone's: none that would pass for something else than a name.
    private static func names(_ names: [String], max: Int) -> [String] {
        Array(
            names.lazy.filter { name in
                !name.isEmpty && name.unicodeScalars.count <= maxNameLength && !name.hasControls
            }.prefix(max))
    }

    /// The answer's form as a JSON schema. LM Studio takes schemas only, and Ollama, llama.cpp and vLLM take them, too.
    private static var format: [String: Any] {
        var properties: [String: Any] = [:]
        for name in WishAnswer.lists {
            properties[name] = ["type": "array", "items": ["type": "string"]]
        }
        for name in WishAnswer.numbers { properties[name] = ["type": ["number", "null"]] }
        let schema: [String: Any] = [
            "type": "object", "properties": properties, "required": WishAnswer.lists + WishAnswer.numbers,
            "additionalProperties": false,
        ]
        let named: [String: Any] = ["name": "query", "strict": true, "schema": schema]
        return ["type": "json_schema", "json_schema": named]
    }
}
