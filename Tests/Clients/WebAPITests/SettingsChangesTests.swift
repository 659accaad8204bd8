import MusicModel
import NIOCore
import NIOHTTP1
import Testing

@testable import WebAPI

@Suite("Bodies of PUT /api/settings")
struct SettingsChangesTests {
    private func changes(_ text: String) throws -> [String: SettingValue?] {
        try SettingsResource.changes(try JSONValue(ByteBuffer(string: text)))
    }

    @Test("are keys with values of their types, and null")
    func values() throws {
        let changes = try changes(
            #"{"a.flag": true, "a.whole": 3, "a.part": 0.5, "a.text": "x", "a.list": ["y"], "a.back": null}"#)
        #expect(
            changes == [
                "a.flag": .flag(true), "a.whole": .integer(3), "a.part": .number(0.5), "a.text": .text("x"),
                "a.list": .list(["y"]), "a.back": nil,
            ])
    }

    @Test(
        "are refused when they are empty, deep, long or mixed",
        arguments: [
            "{}", "[]", "3", #"{"a.b": {"c": 1}}"#, #"{"a.b": [1]}"#, #"{"a.b": [["c"]]}"#,
            #"{"a.b": "\#(String(repeating: "x", count: 300))"}"#, #"{"\#(String(repeating: "x", count: 300))": 1}"#,
            #"{"a.b": ["\#(String(repeating: "x", count: 300))"]}"#,
        ])
    func refused(text: String) {
        let error = #expect(throws: APIError.self) { try changes(text) }
        #expect(error?.status == .badRequest)
    }

    @Test("Each refusal has its status")
    func statuses() {
        let statuses: [(SettingRefusal.Reason, HTTPResponseStatus)] = [
            (.unknown, .badRequest), (.wrong, .badRequest), (.forbidden, .forbidden), (.conflict, .conflict),
            (.unwritable, .serviceUnavailable),
        ]
        for (reason, status) in statuses {
            #expect(APIError(SettingRefusal(reason, "a.b", "No.")).status == status)
        }
    }
}
