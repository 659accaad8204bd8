import Testing

@testable import Subsonic

@Suite("The JSON reader")
struct JSONReaderTests {
    @discardableResult
    private func read<Value>(
        _ text: String, _ body: (inout JSONReader) throws -> Value
    ) throws -> Value {
        try Array(text.utf8).withUnsafeBytes { bytes in
            var reader = JSONReader(bytes)
            let value = try body(&reader)
            try reader.end()
            return value
        }
    }

    private func text(_ json: String) throws -> String? {
        try read(json) { reader in try reader.text() }
    }

    @Test(
        "strings come out with their escapes replaced",
        arguments: [
            (#""""#, ""), (#""plain""#, "plain"), (#" "spaced" "#, "spaced"), (#""Ночь 夜 🎵""#, "Ночь 夜 🎵"),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\ud83c\udfb5!""#, "🎵!"), (#""\ud83c""#, "\u{FFFD}"), (#""\ud83cx""#, "\u{FFFD}x"),
            (#""\udfb5""#, "\u{FFFD}"), (#""\ud83c\u0041""#, "\u{FFFD}A"), (#""rock \u0026 roll""#, "rock & roll"),
            (#""\u0000""#, "\0"), (#""ends with \\""#, "ends with \\"),
        ])
    func strings(json: String, expected: String) throws { #expect(try text(json) == expected) }

    @Test("bytes that are not UTF-8 become replacement characters")
    func invalidUTF8() throws {
        let bytes: [UInt8] = [0x22, 0x61, 0xFF, 0x62, 0x22]
        let value = try bytes.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes)
            return try reader.text()
        }
        #expect(value == "a\u{FFFD}b")
    }

    @Test(
        "what is not JSON is refused",
        arguments: [
            "", " ", "{", "}", "[", "]", "[1", "[1,", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
            "{\"a\":1 \"b\":2}", "{\"a\" 1}", "\"", "\"abc", "\"a\nb\"", "\"a\0\"", "tru", "truth", "nul", "falsey",
            "01", "-", "1.", ".5", "1e", "1e+", "--1", "+1", "0x10", "1 2", "<html>", "{}{}", "NaN", "'a'", "\"a\\\"",
        ])
    func refused(json: String) {
        #expect(throws: JSONProblem.self) {
            try read(json) { reader in try reader.skip() }
        }
    }

    @Test(
        "bad escapes are refused where the text is read",
        arguments: [#""\x""#, #""\u12""#, #""\u12g4""#, #""\ud83c\u12""#, #""\u""#])
    func badEscapes(json: String) {
        #expect(throws: JSONProblem.self) { try text(json) }
    }

    @Test(
        "numbers may be written in several ways",
        arguments: [
            ("0", 0), ("-0", 0), ("42", 42), ("-17", -17), ("3.9", 3), ("-3.9", -3), ("1e3", 1000), ("2.5E2", 250),
            ("\"12\"", 12), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
        ] as [(String, Int64)])
    func integers(json: String, expected: Int64) throws {
        #expect(try read(json) { reader in try reader.integer() } == expected)
    }

    @Test(
        "what is no usable number is nil, and is read over",
        arguments: [
            "9223372036854775808", "-9223372036854775809", "1e400", "\"twelve\"", "true", "null", "[1]", "{\"a\":1}",
            "\"\"",
        ])
    func noIntegers(json: String) throws {
        #expect(try read(json) { reader in try reader.integer() } == nil)
    }

    @Test(
        "fractions keep their value",
        arguments: [("-7.89", -7.89), ("0.988", 0.988), ("1e-3", 0.001), ("\"2.5\"", 2.5)])
    func doubles(json: String, expected: Double) throws {
        #expect(try read(json) { reader in try reader.double() } == expected)
    }

    @Test(
        "truth has several forms",
        arguments: [
            ("true", true), ("false", false), ("1", true), ("0", false), ("\"true\"", true), ("\"no\"", nil),
            ("null", nil), ("[]", nil),
        ]
            as [(String, Bool?)])
    func bools(json: String, expected: Bool?) throws {
        #expect(try read(json) { reader in try reader.bool() } == expected)
    }

    @Test("nesting has a limit")
    func depth() throws {
        let deep = JSONReader.maxDepth
        let fits = String(repeating: "[", count: deep) + String(repeating: "]", count: deep)
        _ = try read(fits) { reader in try reader.skip() }
        #expect(throws: JSONProblem.self) {
            try read("[\(fits)]") { reader in try reader.skip() }
        }
        #expect(throws: JSONProblem.self) {
            try read(String(repeating: "{\"a\":", count: 100_000)) { reader in try reader.skip() }
        }
    }

    @Test("members are found by name, also when the name has an escape")
    func members() throws {
        var found: [String: String] = [:]
        try read(#"{"a":"1", "b\u0063" : [2,{"x":3}] , "d":null}"#) { reader in
            try reader.members { reader, name in
                found[String(decoding: name, as: UTF8.self)] = try reader.text() ?? "-"
            }
        }
        #expect(found == ["a": "1", "bc": "-", "d": "-"])
    }

    @Test("every prefix of an answer is refused")
    func prefixes() throws {
        let whole = try fixture("getSong_mp3_duet")
        for length in stride(from: 0, to: whole.count - 2, by: 7) {
            #expect(throws: JSONProblem.self) {
                try whole[..<length].withUnsafeBytes { bytes in
                    try AnswerEnvelope(bytes) { reader, _ in try reader.skip() }
                }
            }
        }
    }
}
