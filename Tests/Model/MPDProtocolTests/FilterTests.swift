import MPDProtocol
import MusicModel
import Testing

private func filter(_ arguments: [String], folds: Bool = false) -> Result<SongFilter, AckError> {
    var arguments = Arguments(arguments)
    do throws(AckError) {
        return .success(try arguments.filter(foldsCase: folds))
    } catch {
        return .failure(error)
    }
}

private func text(
    _ subject: SongFilter.Subject, _ operation: StringTest.Operator, _ value: String, folds: Bool = false,
    negated: Bool = false
) -> SongFilter {
    .text(subject, StringTest(operation, value, foldsCase: folds, isNegated: negated))
}

private let artistX = text(.tag(.artist), .equals, "x")
private let albumY = text(.tag(.album), .equals, "y")

@Suite("Filters")
struct FilterTests {
    @Test("old-style pairs, exact in find and anywhere in search")
    func pairs() {
        #expect(filter(["artist", "x"]) == .success(artistX))
        #expect(filter(["ARTIST", "x", "Album", "y"]) == .success(.and([artistX, albumY])))
        #expect(filter(["artist", "x"], folds: true) == .success(text(.tag(.artist), .contains, "x", folds: true)))
        #expect(filter(["file", "x"]) == .success(text(.file, .equals, "x")))
        #expect(filter(["FileName", "x"], folds: true) == .success(text(.file, .contains, "x", folds: true)))
        #expect(filter(["any", "x"]) == .success(text(.any, .equals, "x")))
        #expect(filter(["base", "a/b"]) == .success(.base("a/b")))
        #expect(filter(["modified-since", "5"]) == .success(.modifiedSince(5)))
        #expect(filter(["added-since", "1970-01-02"]) == .success(.addedSince(86_400)))
        #expect(filter(["artist", "x", "(Album == 'y')"]) == .success(.and([artistX, albumY])))
    }

    @Test(
        "wrong pairs",
        arguments: [
            ([], "Incorrect number of filter arguments"), (["artist"], "Incorrect number of filter arguments"),
            (["artist", "x", "album"], "Incorrect number of filter arguments"), (["foo", "x"], "Unknown filter type"),
            (["Base", "x"], "Unknown filter type"), (["base", ""], "Bad URI"), (["base", "../x"], "Bad URI"),
            (["base", "a//b"], "Bad URI"), (["base", "/a"], "Bad URI"), (["base", "a/"], "Bad URI"),
            (["modified-since", "x"], "Failed to parse date"), ([" (artist == 'x')", "x"], "Unknown filter type"),
            (["sort", "x"], "Unknown filter type"),
        ])
    func wrongPairs(arguments: [String], message: String) {
        #expect(filter(arguments) == .failure(AckError(.argument, message)))
    }

    @Test(
        "expressions",
        arguments: [
            ("(Artist == \"x\")", artistX),
            ("( artist  ==  'x' ) ", artistX),
            ("((artist == 'x'))", artistX),
            ("(((artist == 'x')))", artistX),
            ("((artist == 'x') AND (album == 'y'))", .and([artistX, albumY])),
            (
                "((artist == 'x') AND ((album == 'y') AND (any == 'z')))",
                .and([artistX, albumY, text(.any, .equals, "z")])
            ),
            ("(artist != 'x')", text(.tag(.artist), .equals, "x", negated: true)),
            ("(!(artist == 'x'))", text(.tag(.artist), .equals, "x", negated: true)),
            ("(!(artist != 'x'))", artistX),
            ("(!(base 'a'))", .not(.base("a"))),
            ("(!((artist == 'x') AND (album == 'y')))", .not(.and([artistX, albumY]))),
            ("(artist contains 'x')", text(.tag(.artist), .contains, "x")),
            ("(artist CONTAINS 'x')", text(.tag(.artist), .contains, "x")),
            ("(artist !contains 'x')", text(.tag(.artist), .contains, "x", negated: true)),
            ("(artist starts_with 'x')", text(.tag(.artist), .startsWith, "x")),
            ("(artist !starts_with 'x')", text(.tag(.artist), .startsWith, "x", negated: true)),
            ("(artist =~ 'x.*')", text(.tag(.artist), .regularExpression, "x.*")),
            ("(artist !~ 'x.*')", text(.tag(.artist), .regularExpression, "x.*", negated: true)),
            ("(artist eq_cs 'x')", artistX),
            ("(artist eq_ci 'x')", text(.tag(.artist), .equals, "x", folds: true)),
            ("(artist !eq_ci 'x')", text(.tag(.artist), .equals, "x", folds: true, negated: true)),
            ("(artist contains_ci 'x')", text(.tag(.artist), .contains, "x", folds: true)),
            ("(artist !contains_cs 'x')", text(.tag(.artist), .contains, "x", negated: true)),
            ("(artist starts_with_ci 'x')", text(.tag(.artist), .startsWith, "x", folds: true)),
            ("(artist !starts_with_cs 'x')", text(.tag(.artist), .startsWith, "x", negated: true)),
            ("(file == 'a/b')", text(.file, .equals, "a/b")),
            ("(filename == 'a/b')", text(.file, .equals, "a/b")),
            ("(base '')", .base("")),
            ("(base 'a/b')", .base("a/b")),
            ("(modified-since '5')", .modifiedSince(5)),
            ("(added-since \"1970-01-02\")", .addedSince(86_400)),
            ("(prio >= 10)", .priority(10)),
            (
                "(AudioFormat == '44100:16:2')",
                .audioFormat(AudioFormat(sampleRate: 44_100, sample: .integer(bits: 16), channels: 2))
            ),
            ("(audioformat =~ '*:f:*')", .audioFormat(AudioFormat(sampleRate: 0, sample: .float, channels: 0))),
            (
                "(AudioFormat == 'dsd64:2')",
                .audioFormat(AudioFormat(sampleRate: 352_800, sample: .dsd, channels: 2))
            ),
            (#"(title == "a\"b\\c\d")"#, text(.tag(.title), .equals, #"a"b\cd"#)),
            ("(title == 'it\\'s \"so\"')", text(.tag(.title), .equals, "it's \"so\"")),
            ("(title == '')", text(.tag(.title), .equals, "")),
            (
                "((Album != '') AND (AlbumArtist != ''))",
                .and([
                    text(.tag(.album), .equals, "", negated: true),
                    text(.tag(.albumArtist), .equals, "", negated: true),
                ])
            ),
        ] as [(String, SongFilter)])
    func expressions(expression: String, expected: SongFilter) {
        #expect(filter([expression]) == .success(expected))
    }

    @Test("operators without a case of their own fold in search only")
    func folding() {
        #expect(filter(["(artist == 'x')"], folds: true) == .success(text(.tag(.artist), .equals, "x", folds: true)))
        #expect(
            filter(["(artist =~ 'x')"], folds: true)
                == .success(text(.tag(.artist), .regularExpression, "x", folds: true)))
        #expect(filter(["(artist eq_cs 'x')"], folds: true) == .success(artistX))
        #expect(filter(["(base 'A')"], folds: true) == .success(.base("A")))
    }

    @Test(
        "wrong expressions",
        arguments: [
            ("(", "Word expected"), ("()", "Word expected"), ("(artist", "Unknown filter operator:"),
            ("(artist == )", "Quoted string expected"), ("(artist == x)", "Quoted string expected"),
            ("(artist == 'x'", "')' expected"), ("(artist == 'x)", "Closing quote not found"),
            ("(artist == 'x\\", "Closing quote not found"), ("(artist = 'x')", "Unknown filter operator: = 'x')"),
            ("(artist contains'x')", "Unknown filter operator: contains'x')"),
            ("(foo == 'x')", "Unknown filter type: foo"), ("(artist == 'x') y", "Unparsed garbage after expression"),
            ("(artist == 'x')(album == 'y')", "Unparsed garbage after expression"),
            ("((artist == 'x') and (album == 'y'))", "'AND' expected"),
            ("((artist == 'x') OR (album == 'y'))", "'AND' expected"),
            ("((artist == 'x') AND )", "Word expected"), ("((artist == 'x') (album == 'y'))", "Word expected"),
            ("((artist == 'x')", "Word expected"), ("(!artist == 'x')", "'(' expected"),
            ("(!(artist == 'x')", "')' expected"), ("(base x)", "Quoted string expected"),
            ("(modified-since 'x')", "Failed to parse date"), ("(AudioFormat '1')", "'==' or '=~' expected"),
            ("(AudioFormat == '44100:16')", "Channel count missing"),
            ("(AudioFormat == '*:16:2')", "Failed to parse the sample rate"),
            ("(AudioFormat == '44100:17:2')", "Invalid sample format: \"17\""),
            ("(AudioFormat == '44100:16:9')", "Invalid channel count: 9"),
            ("(AudioFormat == '44100')", "Sample format missing"),
            ("(AudioFormat == '0:16:2')", "Invalid sample rate: 0"),
            ("(prio == 5)", "'>=' expected"), ("(prio >= x)", "Number expected"),
            ("(prio >= 256)", "Invalid priority value"), ("(prio >= 99999999999999999999)", "Invalid priority value"),
        ])
    func wrongExpressions(expression: String, message: String) {
        #expect(filter([expression]) == .failure(AckError(.argument, message)))
    }

    @Test("nesting is bounded, so that no line can exhaust the stack")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "artist == 'x'" + String(repeating: ")", count: depth)
        }
        #expect(filter([nested(60)]) == .success(artistX))
        #expect(filter([nested(8000)]) == .failure(AckError(.argument, "Filter is nested too deeply")))
        let negated = String(repeating: "(!", count: 4000) + "(artist == 'x')" + String(repeating: ")", count: 4000)
        #expect(filter([negated]) == .failure(AckError(.argument, "Filter is nested too deeply")))
    }

    @Test("a quoted value has an end")
    func longValues() {
        #expect(
            filter(["(artist == '" + String(repeating: "x", count: 4096) + "')"])
                == .failure(AckError(.argument, "Quoted value is too long")))
    }

    @Test("random expressions are parsed or refused, never more", arguments: 0..<200)
    func randomExpressions(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let pieces = [
            "(", ")", "(", ")", "!", " ", "artist", "AND", "==", "!=", "=~", "contains ", "'x'", "\"", "'", "\\",
            "base",
            "prio", ">=", "5", "AudioFormat", "modified-since", "é", "\0", "'44100:16:2'",
        ]
        for _ in 0..<100 {
            let count = Int.random(in: 0...14, using: &random)
            let expression =
                "(" + (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            if case .failure(let error) = filter([expression]) { #expect(error.code == .argument) }
        }
    }
}

@Suite("What follows a filter")
struct QueryTests {
    @Test("sort, window and position come in this order")
    func query() throws {
        var arguments = Arguments(["artist", "x", "sort", "-Date", "window", "2:7", "position", "+1"])
        #expect(try arguments.trailingPosition() == .afterCurrent(1))
        let query = try arguments.query(foldsCase: false)
        #expect(query == SongQuery(artistX, sort: SongSort(.tag(.date), isDescending: true), window: 2..<7))
        #expect(arguments.isEmpty)
    }

    @Test("in the other order they are taken for a filter, as in MPD")
    func wrongOrder() {
        var arguments = Arguments(["artist", "x", "window", "0:1", "sort", "date"])
        #expect(throws: AckError(.argument, "Unknown filter type")) { try arguments.query(foldsCase: false) }
    }

    @Test("what can be sorted by")
    func sort() throws {
        for (text, key) in [("last-modified", SongSort.Key.lastModified), ("ADDED", .added), ("title", .tag(.title))] {
            var arguments = Arguments(["artist", "x", "sort", text])
            #expect(try arguments.query(foldsCase: false).sort == SongSort(key))
        }
        var inDatabase = Arguments(["artist", "x", "sort", "prio"])
        #expect(throws: AckError(.argument, "Unknown sort tag")) { try inDatabase.query(foldsCase: false) }
        var inQueue = Arguments(["artist", "x", "sort", "prio"])
        #expect(try inQueue.query(foldsCase: false, inQueue: true).sort == SongSort(.priority))
    }

    @Test("groups keep the order of the arguments and must not repeat")
    func groups() throws {
        var arguments = Arguments(["artist", "x", "group", "albumartist", "group", "date"])
        #expect(try arguments.trailingGroups(listed: .album) == [.albumArtist, .date])
        #expect(try arguments.filter(foldsCase: false) == artistX)
        var same = Arguments(["group", "album"])
        #expect(throws: AckError(.argument, "Conflicting group")) { try same.trailingGroups(listed: .album) }
        var twice = Arguments(["group", "date", "group", "Date"])
        #expect(throws: AckError(.argument, "Conflicting group")) { try twice.trailingGroups(listed: .album) }
        var unknown = Arguments(["group", "foo"])
        #expect(throws: AckError(.argument, "Unknown tag type: foo")) { try unknown.trailingGroup() }
    }

    @Test("a wrong window is told as a range is")
    func wrongWindow() {
        var arguments = Arguments(["artist", "x", "window", "b"])
        #expect(throws: AckError(.argument, "Integer or range expected: b")) { try arguments.query(foldsCase: false) }
    }
}
