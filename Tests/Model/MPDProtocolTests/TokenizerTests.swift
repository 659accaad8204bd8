import MPDProtocol
import Testing

@Suite("Lines become words")
struct TokenizerTests {
    @Test(
        "a line is split as MPD splits it",
        arguments: [
            ("ping", ["ping"]),
            ("play 5", ["play", "5"]),
            ("play \t  5  ", ["play", "5"]),
            ("add \"a b\"", ["add", "a b"]),
            ("addid \"uri\"  5", ["addid", "uri", "5"]),
            ("playlistlength \"name\" ", ["playlistlength", "name"]),
            (#"add "a \"b\" \\ \c""#, ["add", #"a "b" \ c"#]),
            ("find \"\" x", ["find", "", "x"]),
            ("add a\\b", ["add", "a\\b"]),
            ("status\r", ["status"]),
            ("tagtypes_x2 a", ["tagtypes_x2", "a"]),
            ("PING", ["PING"]),
            ("add \u{1F3B5}é", ["add", "\u{1F3B5}é"]),
            ("ping\0 rest", ["ping"]),
            ("add \"a\0b\"x", nil),
        ] as [(String, [String]?)])
    func words(line: String, expected: [String]?) {
        let words = try? Tokenizer.split(ArraySlice(line.utf8))
        #expect(words.map { [$0.name] + $0.arguments } == expected)
    }

    @Test(
        "what can't be split is refused in MPD's words",
        arguments: [
            ("ping!", "Invalid word character", true),
            ("foo-bar", "Invalid word character", true),
            ("", "No command given", true),
            ("  ", "No command given", true),
            ("1ping", "Letter expected", true),
            ("add \"a", "Missing closing '\"'", false),
            ("add \"a\\", "Missing closing '\"'", false),
            ("add \"a\\\"", "Missing closing '\"'", false),
            ("add \"a\"b", "Space expected after closing '\"'", false),
            ("add \"a\\\\\"b", "Space expected after closing '\"'", false),
            ("add a\"b\"", "Invalid unquoted character", false),
            ("add it's", "Invalid unquoted character", false),
            ("add 'x'", "Invalid unquoted character", false),
        ])
    func refusals(line: String, message: String, closes: Bool) {
        let error = #expect(throws: TokenizerError.self) { try Tokenizer.split(ArraySlice(line.utf8)) }
        #expect(error?.ack == AckError(.unknown, message))
        #expect(error?.closesConnection == closes)
    }

    @Test("72 arguments pass and 73 don't, which is no reason to hang up")
    func argumentLimit() throws {
        let most = "prio" + String(repeating: " 1", count: Tokenizer.argumentLimit)
        #expect(try Tokenizer.split(ArraySlice(most.utf8)).arguments.count == 72)
        let error = #expect(throws: TokenizerError.self) { try Tokenizer.split(ArraySlice((most + " 1").utf8)) }
        #expect(error?.ack == AckError(.argument, "Too many arguments"))
        #expect(error?.closesConnection == false)
    }

    @Test("letters with endless marks are refused, whose order takes minutes to find")
    func endlessLetters() throws {
        for argument in ["a", "\"a"] {
            let line =
                "add \(argument)" + String(repeating: "\u{301}\u{323}", count: 4000) + (argument == "a" ? "" : "\"")
            let error = #expect(throws: TokenizerError.self) { try Tokenizer.split(ArraySlice(line.utf8)) }
            #expect(error?.ack.message == "A letter has too many marks" && error?.closesConnection == false)
        }
        #expect(try Tokenizer.split(ArraySlice("add Tiếng".utf8)).arguments == ["Tiếng"])
    }

    @Test("invalid UTF-8 is repaired, not passed on")
    func invalidUTF8() throws {
        let words = try Tokenizer.split(ArraySlice("add ".utf8) + [0x61, 0xFF, 0xC3, 0x62])
        #expect(words.arguments == ["a\u{FFFD}\u{FFFD}b"])
    }

    @Test("quoting any text and splitting it again gives the text back", arguments: 0..<200)
    func roundTrip(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let texts = (0..<Int.random(in: 0...5, using: &random)).map { _ in random.text(length: 40) }
        let line =
            "find"
            + texts.map { text in
                " \"" + text.flatMap { $0 == "\\" || $0 == "\"" ? ["\\", $0] : [$0] } + "\""
            }.joined()
        #expect(try Tokenizer.split(ArraySlice(line.utf8)).arguments == texts)
    }

    @Test("random bytes are split or refused, never more", arguments: 0..<200)
    func randomBytes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<50 {
            let bytes =
                Array("add ".utf8) + random.bytes(upTo: 60, from: Array(" \t\"\\'ab\0\u{E9}".utf8) + [0xFF, 0xC3])
            do throws(TokenizerError) {
                let words = try Tokenizer.split(bytes[...])
                #expect(words.name == "add")
                #expect(words.arguments.count <= 60)
            } catch {
                #expect(error.ack.code == .unknown)
            }
        }
    }
}
