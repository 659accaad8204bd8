import Discovery
import Foundation
import TestSupport
import Testing

@testable import Wishes

@Suite("A wish as it is sent", .enabled(if: testsEverything))
struct WishQuestionTests {
    private func body(
        _ wish: String, genres: [String] = ["Jazz"], moods: [String] = ["Dreamy"], model: String? = nil,
        hasSchema: Bool = true
    ) throws -> [String: Any] {
        let question = WishQuestion(wish, WishVocabulary(genres: genres, moods: moods))
        let data = try question.body(model: model, hasSchema: hasSchema)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func contents(_ body: [String: Any]) throws -> [String] {
        try #require(body["messages"] as? [[String: String]]).compactMap { $0["content"] }
    }

    @Test("has the wish, the names and the answer's form, and nothing else")
    func whole() throws {
        let body = try body("calm jazz", model: "small")
        #expect(Set(body.keys) == ["model", "messages", "temperature", "max_tokens", "stream", "response_format"])
        #expect(body["model"] as? String == "small" && body["stream"] as? Bool == false)
        let messages = try #require(body["messages"] as? [[String: String]])
        #expect(messages.map { $0["role"] } == ["system", "user"])
        #expect(messages[1]["content"] == "calm jazz")
        #expect(messages[0]["content"]?.hasSuffix("Genres: [\"Jazz\"]\nMoods: [\"Dreamy\"]") == true)
        let format = try #require(body["response_format"] as? [String: Any])
        #expect(format["type"] as? String == "json_schema")
    }

    @Test("names no model where none is configured, and no form for servers that know none")
    func lesser() throws {
        let body = try body("calm jazz", hasSchema: false)
        #expect(body["model"] == nil && body["response_format"] == nil)
    }

    @Test("is cut where a client sends too much, and has no control characters")
    func limits() throws {
        let long = try contents(try body("a\u{1B}[31m\u{0}b" + String(repeating: "x", count: 100_000)))[1]
        #expect(long.hasPrefix("a [31m b") && long.unicodeScalars.count == PickWish.maxTextLength)
    }

    @Test("has the first names of a library with too many, and none that is no name")
    func names() throws {
        let genres = ["Ja\u{7}zz", "", String(repeating: "long ", count: 50)] + (0..<5000).map { "Genre \($0)" }
        let instruction = try contents(try body("calm", genres: genres, moods: []))[0]
        #expect(instruction.contains("\"Genre 0\"") && instruction.contains("\"Genre 99\""))
        #expect(!instruction.contains("Genre 100") && !instruction.contains("long long") && !instruction.contains("zz"))
        #expect(instruction.hasSuffix("Moods: []"))
    }
}
