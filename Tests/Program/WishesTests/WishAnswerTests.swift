import Discovery
import Foundation
import TestSupport
import Testing

@testable import Wishes

@Suite("A model's answer", .enabled(if: testsEverything))
struct WishAnswerTests {
    private static let vocabulary = WishVocabulary(genres: ["Jazz", "Trip-Hop", "Rock"], moods: ["Dreamy"])

    private func wish(_ content: String) throws -> PickWish? {
        let body = ["choices": [["index": 0, "message": ["role": "assistant", "content": content]]]]
        return WishAnswer.read(try JSONSerialization.data(withJSONObject: body))?.wish(Self.vocabulary)
    }

    @Test("becomes a query")
    func query() throws {
        let found = try #require(
            try wish(
                """
                {"genres":["trip hop","Jazz"],"moods":["DREAMY"],"year_from":1990,"year_to":1999.2,"energy_from":null,
                 "energy_to":0.4,"tempo_from":80,"tempo_to":100}
                """))
        #expect(found.genres == ["trip hop", "jazz"] && found.moods == ["dreamy"])
        #expect(found.years == 1990...1999 && found.energy == 0...0.4 && found.tempo == 80...100)
        #expect(found.sentence == "calm, dreamy, jazz, trip hop, 1990 to 1999, 80 to 100 bpm")
    }

    @Test(
        "is found behind thoughts and between fences",
        arguments: [
            "<think>Is it {rock}? No.</think>\n{\"genres\":[\"Jazz\"]}", "```json\n{\"genres\":[\"Jazz\"]}\n```",
            "Here you are: {\"genres\":[\"Jazz\"]} Enjoy!",
        ])
    func wrappings(content: String) throws { #expect(try wish(content)?.genres == ["jazz"]) }

    @Test("names only what the library has, and no control characters")
    func unknownNames() throws {
        let found = try #require(
            try wish(##"{"genres":["Vaporwave","","Ja\u0007zz","Ro\u001bck","Rock\u202e"],"moods":["Jazz"]}"##))
        #expect(found.isEmpty)
    }

    @Test("has numbers that songs can have, in their order")
    func numbers() throws {
        let far = try #require(
            try wish(#"{"year_from":-1e300,"year_to":1980,"energy_from":7,"energy_to":0.6,"tempo_from":1e18}"#))
        #expect(far.years == 1000...1980 && far.energy == 0.6...1 && far.tempo == 400...400)
        #expect(far.sentence == "lively, up to 1980, 400 bpm")
        #expect(try wish(#"{"year_from":1999,"year_to":1990}"#)?.years == 1990...1999)
        #expect(try wish(#"{"year_from":2001}"#)?.sentence == "from 2001 on")
        #expect(try wish(#"{"energy_from":0,"energy_to":1,"tempo_from":-5,"year_to":9999}"#)?.isEmpty == true)
    }

    @Test(
        "is nonsense otherwise",
        arguments: [
            "", "I'd play Kind of Blue.", "{", "}{", "[]", "{\"genres\":\"Jazz\"}", "{\"year_from\":\"1990\"}",
            "{\"genres\":[[\"Jazz\"]]}", "{\"genres\":[1]}", "{\"year_from\":true}",
            String(repeating: "{\"genres\":", count: 5000) + "}",
        ])
    func nonsense(content: String) throws { #expect(try wish(content) == nil) }

    @Test(
        "in no envelope is nonsense",
        arguments: [
            "", "<html>", "null", "{}", "{\"choices\":[]}", "{\"choices\":[{}]}", "{\"choices\":{\"a\":1}}",
            "{\"choices\":[{\"message\":{\"content\":null}}]}", "{\"genres\":[\"Jazz\"]}",
            String(repeating: "[", count: 60_000),
        ])
    func envelopes(body: String) { #expect(WishAnswer.read(Data(body.utf8)) == nil) }
}
