import Foundation
import MusicModel
import NIOCore
import Testing
@testable import WebAPI

@Suite("JSON")
struct JSONWriterTests {
    @Test("writes what Foundation reads back, whatever stands in texts")
    func roundTrip() throws {
        let hostile = "a\"b\\c\n\u{1}</script>\u{2028}é😀\u{7F}"
        var json = JSONWriter()
        json.object { json in
            json.field("text", hostile)
            json.field("none", String?.none)
            json.field("whole", 3.0)
            json.field("part", 0.125)
            json.field("endless", Double.infinity)
            json.field("yes", true)
            json.field("time", Duration.milliseconds(1500))
            json.array("list", [1, 2]) { $0.value($1) }
            json.object("inner") { $0.field("empty", [String]()) }
        }
        let read = try #require(
            try JSONSerialization.jsonObject(with: Data(json.buffer.readableBytesView)) as? [String: Any])
        #expect(read["text"] as? String == hostile)
        #expect(read["none"] is NSNull)
        #expect(read["endless"] is NSNull)
        #expect(read["time"] as? Double == 1.5)
        #expect(read["list"] as? [Int] == [1, 2])
        #expect(String(buffer: json.buffer).contains("\"whole\":3,\"part\":0.125"))
    }

    @Test("keeps numbers, truths and texts apart when it is read")
    func reading() throws {
        let value = try JSONValue(ByteBuffer(string: "{\"a\":1,\"b\":true,\"c\":\"1\",\"d\":null,\"e\":[[]]}"))
        #expect(value["a"]?.integer == 1)
        #expect(value["a"]?.bool == nil)
        #expect(value["b"]?.bool == true)
        #expect(value["c"]?.text == "1")
        #expect(value["d"] == nil)
        #expect(value["e"]?.array?.count == 1)
    }

    @Test(
        "A field of the wrong kind is refused, not taken as left out",
        arguments: ["{\"a\":{}}", "{\"a\":[1]}", "{\"a\":\"1.5\"}", "{\"a\":1.5}", "{\"a\":true}"])
    func wrongKinds(body: String) throws {
        let value = try JSONValue(ByteBuffer(string: body))
        let readings: [(JSONValue) throws -> Any?] = [
            { try $0.text("a") }, { try $0.bool("a") }, { try $0.integer("a") }, { try $0.number("a") },
        ]
        let taken = readings.count { (try? $0(value)) != nil }
        #expect(taken == (value["a"]?.isObject == true || value["a"]?.array != nil ? 0 : 1))
        #expect(try value.text("b") == nil)
    }

    @Test(
        "Lists of songs and addresses are refused where they are empty, no lists, or of other values",
        arguments: ["[]", "{}", "\"1\"", "[0]", "[\"1\",null]", "[[]]"])
    func wrongLists(list: String) throws {
        let body = try JSONValue(ByteBuffer(string: "{\"uris\":\(list),\"songs\":\(list)}"))
        #expect(throws: APIError.self) { try body.uris(atMost: 2) }
        #expect(throws: APIError.self) { try body.songs(atMost: 2) }
    }

    @Test(
        "refuses what is no JSON, and what lies too deep",
        arguments: ["{", "[1 2]", "nul", String(repeating: "[", count: 99_999)])
    func malformed(text: String) {
        #expect(throws: APIError.self) { try JSONValue(ByteBuffer(string: text)) }
    }

    @Test(
        "A body without end is refused after as many values as a request may need, before memory or time are spent on it",
        arguments: ["[],", "0,", "{},", "\"\",", "null,", "[0],", "{\"a\":1},", "true,"])
    func flood(_ piece: String) throws {
        let body = ByteBuffer(string: "[" + String(repeating: piece, count: (1 << 20) / piece.utf8.count - 2) + "0]")
        #expect(throws: APIError.self) { try JSONValue(body) }
        // All that moving 10,000 entries takes is read.
        let ids = "[" + Array(repeating: "4000000000", count: 10_000).joined(separator: ",") + "]"
        let move = try JSONValue(ByteBuffer(string: "{\"ids\":\(ids),\"places\":\(ids)}"))
        #expect(move["ids"]?.array?.count == 10_000 && move["places"]?.array?.count == 10_000)
    }

    @Test(
        "Values are read as they are written",
        arguments: [
            ("{}", .object([:])), (" [ ] ", .array([])), ("-1.5e3", .number(-1500)), ("false", .bool(false)),
            ("0", .number(0)),
            ("\"\\u00e4\\n\"", .text("ä\n")),
            ("{\"a\":{\"b\":[null,1]}}", .object(["a": .object(["b": .array([.null, .number(1)])])])),
        ] as [(String, JSONValue)])
    func values(_ text: String, _ value: JSONValue) throws { #expect(try JSONValue(ByteBuffer(string: text)) == value) }

    @Test("A list of songs or addresses has one at least, and as many as are taken at once at most")
    func lists() throws {
        let full = try JSONValue(ByteBuffer(string: "{\"uris\": [\"a\", \"b\"], \"songs\": [\"7\", \"8\"]}"))
        #expect(try full.uris(atMost: 2) == ["a", "b"] && full.songs(atMost: 2)?.map(\.rawValue) == [7, 8])
        #expect(throws: APIError.self) { try full.uris(atMost: 1) }
        #expect(throws: APIError.self) { try full.songs(atMost: 1) }
        #expect(try JSONValue.null.uris(atMost: 2) == nil && JSONValue.null.songs(atMost: 2) == nil)
    }

    @Test(
        "Names of fields that no request has are refused at once, and texts lose endless marks", .timeLimit(.minutes(1))
    )
    func marks() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 50_000)
        #expect(throws: APIError.self) { try JSONValue(ByteBuffer(string: "{\"a\(marks)\" : 1}")) }
        #expect(throws: APIError.self) {
            try JSONValue(ByteBuffer(string: "{\"a\" : {\"\\\"" + String(repeating: "x", count: 70) + "\":1}}"))
        }
        let value = try JSONValue(ByteBuffer(string: "{\"a\": \"\(marks)\", \"b\": [\"\(marks)\"]}"))
        #expect(value["a"]?.text?.unicodeScalars.count == 30)
    }
}
