@testable import Wishes

/// Takes in what a prompt server answers to a wish.
///
/// - Shape: with the first byte's highest bit the rest is the whole answer, with the next one only what the model
///   wrote; with neither a script for `WishScript`, which writes that.
enum WishFuzz {
    static func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        var rest = Array(bytes.dropFirst())
        if first & 192 == 0 { rest = WishScript.content(rest) }
        if let complaint = WishAnswerReading.complaint(about: rest, isContent: first & 128 == 0) {
            throw FuzzFinding(complaint)
        }
    }
}

/// Writes what a model writes from a few bytes: hardly any change of a JSON text is one.
private struct WishScript {
    private static let before = [
        "", "<think>Is it {rock}? No.</think>\n", "```json\n", "Here you are: ", "</think></think>", "{", "\u{feff}",
        "<think>",
    ]
    private static let after = ["", "\n```", " Enjoy!", "}", "</think>", "\0", "{}", "\n\n"]
    private static let names = [
        "\"Jazz\"", "\"trip hop\"", "\"ROCK\"", "\"\"", "\"ünü\"", "\"Ja\\u0007zz\"", "\"Rock\\u202e\"", "\"{\"",
        "\"Dreamy\"", "\"calm\"", "null", "1", "[\"Jazz\"]", "\"x\(String(repeating: "\u{301}", count: 600))\"",
        "\"\\ud800\"", "true",
    ]
    private static let numbers = [
        "1990", "1999.5", "0", "1", "0.4", "-5", "400", "null", "1e300", "-1e300", "1e-400", "9223372036854775808",
        "1e999", "2999", "\"1990\"", "true",
    ]
    private static let keys = [
        "year_from", "year_to", "energy_from", "energy_to", "tempo_from", "tempo_to", "genres", "moods",
    ]
    private var rest: ArraySlice<UInt8>

    static func content(_ script: [UInt8]) -> [UInt8] {
        var reader = WishScript(rest: script[...])
        let head = reader.byte()
        var members: [String] = []
        while let next = reader.rest.popFirst(), members.count < 200 { members.append(reader.member(Int(next))) }
        return Array("\(before[head & 7]){\(members.joined(separator: ","))}\(after[head >> 3 & 7])".utf8)
    }

    private mutating func byte() -> Int { rest.popFirst().map(Int.init) ?? 0 }

    private mutating func member(_ head: Int) -> String {
        let key = Self.keys[head & 7]
        if head & 7 < 6 { return "\"\(key)\":\(Self.numbers[head >> 4])" }
        let names = (0..<(head >> 3)).map { _ in Self.names[byte() & 15] }
        return "\"\(key)\":[\(names.joined(separator: ","))]"
    }
}
