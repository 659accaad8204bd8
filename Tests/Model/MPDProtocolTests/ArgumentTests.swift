import MPDProtocol
import MusicModel
import Testing

/// Parses one argument and returns the value or the error's text.
private func parse<T>(
    _ text: String, _ parse: (inout Arguments) throws(AckError) -> T
) -> Result<T, AckError> {
    var arguments = Arguments([text])
    do throws(AckError) {
        return .success(try parse(&arguments))
    } catch {
        return .failure(error)
    }
}

private func bad(_ message: String) -> AckError { AckError(.argument, message) }

@Suite("Arguments")
struct ArgumentTests {
    @Test(
        "integers",
        arguments: [("5", 5), ("-1", -1), (" 7", 7), ("+3", 3), ("007", 7), ("-2147483648", -2_147_483_648)])
    func integers(text: String, value: Int) {
        #expect(parse(text) { (a) throws(AckError) in try a.integer() } == .success(value))
    }

    @Test(
        "what is no integer",
        arguments: [
            ("x", "Integer expected: x"), ("", "Integer expected:"), ("5x", "Integer expected: 5x"),
            ("5 ", "Integer expected: 5"), ("a  b", "Integer expected: a b"), ("1.5", "Integer expected: 1.5"),
            ("2147483648", "Number too large: 2147483648"),
            ("99999999999999999999", "Number too large: 99999999999999999999"),
            ("-99999999999999999999", "Number too large: -99999999999999999999"),
        ])
    func badIntegers(text: String, message: String) {
        #expect(parse(text) { (a) throws(AckError) in try a.integer() } == .failure(bad(message)))
    }

    @Test("bounded integers")
    func boundedIntegers() {
        #expect(parse("100") { (a) throws(AckError) in try a.integer(in: -100...100) } == .success(100))
        #expect(
            parse("-101") { (a) throws(AckError) in try a.integer(in: -100...100) }
                == .failure(bad("Number too large: -101")))
    }

    @Test("unsigned integers; negative ones are too large, as in MPD")
    func unsigned() {
        #expect(parse("4294967295") { (a) throws(AckError) in try a.unsigned() } == .success(4_294_967_295))
        #expect(parse("-0") { (a) throws(AckError) in try a.unsigned() } == .success(0))
        #expect(
            parse("4294967296") { (a) throws(AckError) in try a.unsigned() }
                == .failure(bad("Number too large: 4294967296")))
        #expect(parse("-1") { (a) throws(AckError) in try a.unsigned() } == .failure(bad("Number too large: -1")))
        #expect(
            parse("101") { (a) throws(AckError) in try a.unsigned(maximum: 100) }
                == .failure(bad("Number too large: 101")))
        #expect(parse("x") { (a) throws(AckError) in try a.unsigned() } == .failure(bad("Integer expected: x")))
    }

    @Test(
        "versions wrap instead of failing",
        arguments: [("7", 7), ("-1", .max), ("4294967297", 1), ("99999999999999999999", .max)] as [(String, UInt32)])
    func versions(text: String, value: UInt32) {
        #expect(parse(text) { (a) throws(AckError) in try a.version() } == .success(value))
    }

    @Test(
        "ranges",
        arguments: [
            ("5", ArgumentRange(5, 6)), ("2:7", ArgumentRange(2, 7)), ("2:", ArgumentRange(2, nil)),
            ("3:3", ArgumentRange(3, 3)), ("-1", .everything), ("0:", .everything),
        ])
    func ranges(text: String, range: ArgumentRange) {
        #expect(parse(text) { (a) throws(AckError) in try a.range() } == .success(range))
    }

    @Test(
        "what is no range",
        arguments: [
            ("", "Integer or range expected:"), (":", "Integer or range expected: :"),
            (":3", "Integer or range expected: :3"), ("a", "Integer or range expected: a"),
            ("1-2", "Integer or range expected: 1-2"), ("1:x", "Integer or range expected: 1:x"),
            ("1:2x", "Integer or range expected: 1:2x"), ("-2", "Number is negative: -2"),
            ("-1:5", "Number is negative: -1:5"), ("1:-5", "Number is negative: 1:-5"),
            ("2147483648", "Number too large: 2147483648"), ("1:2147483648", "Number too large: 1:2147483648"),
            ("5:3", "Malformed range: 5:3"),
        ])
    func badRanges(text: String, message: String) {
        #expect(parse(text) { (a) throws(AckError) in try a.range() } == .failure(bad(message)))
    }

    @Test("a range meets a list of six")
    func clipping() {
        #expect(ArgumentRange(6, 7).clipped(to: 6) == 6..<6)
        #expect(ArgumentRange(7, 8).clipped(to: 6) == nil)
        #expect(ArgumentRange(2, 99).clipped(to: 6) == 2..<6)
        #expect(ArgumentRange(2, nil).clipped(to: 6) == 2..<6)
        #expect(ArgumentRange.everything.window == nil)
        #expect(ArgumentRange(2, nil).window == 2..<Int.max)
    }

    @Test("booleans")
    func booleans() {
        #expect(parse("1") { (a) throws(AckError) in try a.boolean() } == .success(true))
        #expect(parse("0") { (a) throws(AckError) in try a.boolean() } == .success(false))
        for text in ["2", "on", "-1", "true"] {
            #expect(
                parse(text) { (a) throws(AckError) in try a.boolean() }
                    == .failure(bad("Boolean (0/1) expected: \(text)")))
        }
        #expect(parse("") { (a) throws(AckError) in try a.boolean() } == .failure(bad("Boolean (0/1) expected:")))
    }

    @Test("times are seconds with decimals, to the millisecond")
    func times() {
        #expect(parse("12.3456") { (a) throws(AckError) in try a.time() } == .success(.milliseconds(12_346)))
        #expect(parse("5") { (a) throws(AckError) in try a.time() } == .success(.seconds(5)))
        #expect(parse("1e30") { (a) throws(AckError) in try a.time() } == .success(.seconds(1_000_000_000)))
        #expect(parse("") { (a) throws(AckError) in try a.time() } == .failure(bad("Float expected:")))
        #expect(parse("-1") { (a) throws(AckError) in try a.time() } == .failure(bad("Negative value not allowed: -1")))
        for text in ["x", "nan", "inf", "1:2", "5s"] {
            #expect(parse(text) { (a) throws(AckError) in try a.time() } == .failure(bad("Float expected: \(text)")))
        }
    }

    @Test(
        "seek targets",
        arguments: [
            ("12.5", SeekTarget.absolute(.milliseconds(12_500))), ("+5", .relative(.seconds(5))),
            ("-0.5", .relative(.milliseconds(-500))), ("0", .absolute(.zero)),
        ])
    func seekTargets(text: String, target: SeekTarget) {
        #expect(parse(text) { (a) throws(AckError) in try a.seekTarget() } == .success(target))
    }

    @Test(
        "positions",
        arguments: [
            ("7", ArgumentPosition.absolute(7)), ("+0", .afterCurrent(0)), ("-2", .beforeCurrent(2)),
        ])
    func positions(text: String, position: ArgumentPosition) {
        #expect(parse(text) { (a) throws(AckError) in try a.position() } == .success(position))
    }

    @Test(
        "what is no position",
        arguments: [("x", "Integer expected: x"), ("+", "Integer expected:"), ("--1", "Number too large: -1")])
    func badPositions(text: String, message: String) {
        #expect(parse(text) { (a) throws(AckError) in try a.position() } == .failure(bad(message)))
    }

    @Test("time ranges")
    func timeRanges() throws {
        for (text, start, end) in [("1.5:3", 1500, 3000), (":3", 0, 3000), ("2:", 2000, nil), (":", 0, nil)]
            as [(String, Int, Int?)]
        {
            var arguments = Arguments([text])
            let range = try arguments.timeRange()
            #expect(range.start == .milliseconds(start))
            #expect(range.end == end.map { .milliseconds($0) })
        }
        for text in ["3", "3:2", "x:1", "-1:2", ""] {
            var arguments = Arguments([text])
            #expect(throws: bad("Bad range")) { try arguments.timeRange() }
        }
    }

    @Test("names of tags in any case")
    func tags() {
        #expect(parse("musicbrainz_albumid") { (a) throws(AckError) in try a.tag() } == .success(.musicBrainzAlbumID))
        #expect(parse("AlbumArtist") { (a) throws(AckError) in try a.tag() } == .success(.albumArtist))
        #expect(parse("foo") { (a) throws(AckError) in try a.tag() } == .failure(bad("Unknown tag type: foo")))
        for tag in Tag.allCases { #expect(Tag(wireName: "\(tag.wireName)".uppercased()) == tag) }
    }

    @Test("idle events in any case; none means all")
    func subsystems() throws {
        var arguments = Arguments(["PLAYER", "stored_playlist"])
        #expect(try arguments.subsystems() == [.player, .storedPlaylist])
        var none = Arguments([])
        #expect(try none.subsystems() == .everything)
        var unknown = Arguments([""])
        #expect(throws: bad("Unrecognized idle event: ")) { try unknown.subsystems() }
    }

    @Test("three-way options")
    func oneshot() {
        #expect(parse("oneshot") { (a) throws(AckError) in try a.oneshot("single") } == .success(.oneshot))
        #expect(
            parse("2") { (a) throws(AckError) in try a.oneshot("consume") }
                == .failure(bad("Unrecognized consume mode, expected 0, 1, or oneshot")))
    }

    @Test("control brings player with it")
    func permissions() throws {
        #expect(Permission(names: ["control"]) == [.control, .player])
        #expect(Permission(names: ["read", "add"])?.names == ["read", "add"])
        #expect(Permission(names: ["read", "root"]) == nil)
    }

    @Test("a long wrong argument is cut between characters")
    func longArguments() {
        let text = String(repeating: "é", count: 5000)
        let expected = bad("Integer expected: " + String(repeating: "é", count: 100))
        #expect(parse(text) { (a) throws(AckError) in try a.integer() } == .failure(expected))
    }

    @Test("random text never traps any grammar", arguments: 0..<100)
    func randomText(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<40 {
            let text = String(
                decoding: random.bytes(upTo: 24, from: Array("0123456789+-:.eE xnai*TZ".utf8) + [0xC3, 0xA9]),
                as: UTF8.self)
            _ = parse(text) { (a) throws(AckError) in try a.integer() }
            _ = parse(text) { (a) throws(AckError) in try a.unsigned() }
            _ = parse(text) { (a) throws(AckError) in try a.version() }
            if case .success(let range) = parse(text, { (a) throws(AckError) in try a.range() }) {
                #expect(range.start >= 0)
                #expect(range.end.map { $0 >= range.start } ?? true)
            }
            _ = parse(text) { (a) throws(AckError) in try a.position() }
            _ = parse(text) { (a) throws(AckError) in try a.seekTarget() }
            _ = parse(text) { (a) throws(AckError) in try a.timeRange() }
            if case .success(let time) = parse(text, { (a) throws(AckError) in try a.time() }) {
                #expect(time >= .zero)
            }
            _ = try? TimeStamp.parse(text)
        }
    }
}
