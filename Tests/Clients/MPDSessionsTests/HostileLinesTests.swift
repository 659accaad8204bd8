import Glibc
import InProcessServer
import LibraryIndex
import MPDCommands
import MPDSessions
import NIOCore
import ServerLoop
import TestSupport
import Testing

extension ServerTests {
    /// What a client can send that it shouldn't, to a server whose connections are memory. Each line is answered or its
    /// connection is closed, other clients are served meanwhile, and no line holds the loop.
    @Suite("Hostile lines", .timeLimit(.minutes(2)))
    struct HostileLinesTests {
        private static let huge = [
            "9223372036854775807", "-9223372036854775808", "99999999999999999999999999", "4294967296", "-1", "1e308",
            "nan", "inf", "0x7fffffff", "", "1.7976931348623157e309",
        ]
        private static let song = TemporaryLibrary.song(0).path

        @Test("numbers: a playing server takes them or refuses them")
        func numbers() async throws {
            let templates = [
                "seek 0 %", "seekcur %", "seekcur +%", "crossfade %", "mixrampdb %", "mixrampdelay %", "setvol %",
                "volume %", "rangeid 1 0:%", "rangeid 1 %:%", "prio % 0", "play %", "binarylimit %", "plchanges %",
                "move 0 %", "delete %", "outputset 0 volume %", "albumart Covers/a.flac %", "search any a window 0:%",
                "searchplaylist x any a window %:", "playlistinfo %:%", "load x 0:%", "shuffle %:%", "addid x %",
            ]
            try await Attack.run { attack in
                for template in templates {
                    let lines = Self.huge.map { template.replacing("%", with: $0.isEmpty ? "\"\"" : $0) }
                    try await attack.expectAnswers(
                        to: ["clear", "add /", "repeat 1", "crossfade 0", "play 0"] + lines + ["status"])
                }
            }
        }

        @Test(
            "stickers with the largest numbers: they are counted with, or refused",
            arguments: ["playCount", "skipCount", "lastPlayed", "rating", "like", "elapsed"])
        func stickers(name: String) async throws {
            try await Attack.run { attack in
                let place = "sticker % song \(quoted(Self.song)) \(name)"
                let largest = Self.huge[0]
                for value in Self.huge.prefix(7).map(quoted) {
                    let lines = [
                        ("set", value), ("set", "1"), ("set", largest), ("inc", largest), ("inc", value),
                        ("dec", largest), ("dec", value),
                    ].map { place.replacing("%", with: $0) + " \($1)" }
                    try await attack.expectAnswers(to: lines)
                }
                let answers = try await attack.expectAnswers(
                    to: [place.replacing("%", with: "set") + " 1", "sticker find song \"\" \(name)"])
                #expect(answers == ["OK", "OK"])
            }
        }

        @Test("every command with extreme arguments, as many as it takes and more")
        func everyCommand() async throws {
            let values =
                Self.huge + [
                    "0:9223372036854775807", "9223372036854775807:", "-5:-1", "9:3", Self.song, "..", "+99999999999",
                    String(repeating: "\u{1F4A3}", count: 300), "/", "*", "(x == 'y')",
                ]
            let others: Set = ["kill", "close", "idle", "noidle", "password", "command_list_begin", "command_list_end"]
            let names = CommandTable.commands.map(\.name).filter { !others.contains($0) }
            #expect(names.count > 100)
            try await Attack.run { attack in
                for name in names {
                    var lines = ["clear", "add /"]
                    for count in 0..<5 {
                        for shift in stride(from: 0, to: values.count, by: 5) {
                            let some = (0..<count).map { quoted(values[(shift + $0 * 7) % values.count]) }
                            lines.append(([name] + some).joined(separator: " "))
                        }
                    }
                    try await attack.expectAnswers(to: lines + ["partition default", "clear"])
                }
            }
        }

        @Test("patterns that take hours are given up, and others are served meanwhile")
        func patterns() async throws {
            let patterns = [
                "(*NO_JIT)(.*.*.*.*.*.*.*.*.*.*)(?!|x)", "(*LIMIT_MATCH=4294967295)(a|a)*b",
                #"(.*)*(.*)*(.*)*x\1\2\3"#, "(?:(?:a{0,200}){0,200}){0,200}b", "(?R)?(?R)?(?R)?.",
                "((((((((((.*)*)*)*)*)*)*)*)*)*)*", "(?=(.+)+$)(?!.)",
                String(repeating: "(", count: 249) + String(repeating: ")", count: 249),
                String(repeating: "[[:alpha:]", count: 300), #"(?C1)\C\C\C(?{die})"#,
                #"(*UTF)(*UCP)(\p{L}+)+\d\d\d!"#,
            ]
            try await Attack.run(songs: 200) { attack in
                try await attack.expectAnswers(to: ["add /", "save all"])
                for pattern in patterns {
                    let inner = pattern.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
                    let (title, any) = (quoted("(title =~ '\(inner)')"), quoted("(any =~ '\(inner)')"))
                    try await attack.expectAnswers(
                        to: [
                            "playlistsearch \(title)", "search \(any)", "searchplaylist all \(title)",
                            "list title \(title)", "playlistfind \(any)", "find \(title) sort title",
                        ])
                }
            }
        }

        @Test("filters: long ones, deep ones, and ones with odd values")
        func filters() async throws {
            let filters = [
                String(repeating: "(", count: 8000) + String(repeating: ")", count: 8000),
                String(repeating: "(!", count: 3000) + "(title == 'x')" + String(repeating: ")", count: 3000),
                "(" + Array(repeating: "(any contains 'e')", count: 600).joined(separator: " AND ") + ")",
                "(title == '" + String(repeating: "\\'", count: 6000) + "')",
                "(modified-since '99999999999999999999')", "(added-since '-9223372036854775808')",
                "(prio >= 99999999999999)", "(AudioFormat =~ '99999999999999:*:*')",
                "(base '" + String(repeating: "../", count: 3000) + "')", "(title > '\0')", "((((((((((",
            ]
            let commands = ["find", "search", "count", "playlistfind", "list title", "searchadd", "findadd"]
            try await Attack.run { attack in
                for filter in filters {
                    try await attack.expectAnswers(to: commands.map { "\($0) \(quoted(filter))" } + ["clear"])
                }
            }
        }

        @Test("texts: none of them reaches the language of the database")
        func texts() async throws {
            let texts = [
                "ab\\\"\u{301}cd", String(repeating: "\u{301}", count: 4000), "\u{FFFF}",
                String(repeating: "%_\\%", count: 900), "' OR 1=1 --", "* NEAR( \\\"\\\" ",
                String(repeating: "\u{202E}", count: 200), "\u{85}\u{1B}[2J",
            ]
            let commands = [
                "search title", "search any", "find artist", "playlistsearch title", "list album artist",
                "searchcount title", "sticker find song \"\" rating =",
            ]
            try await Attack.run { attack in
                for text in texts {
                    let answers = try await attack.expectAnswers(to: commands.map { "\($0) \"\(text)\"" })
                    #expect(answers.allSatisfy { !$0.contains("database") && !$0.contains("SQL") })
                }
            }
        }

        @Test("names of playlists and addresses of what is no song: they are refused, or are names")
        func names() async throws {
            let names = [
                "../../evil", "a/b", "/etc/cron.d/x", "..", ".", "a\rb", "\u{1B}[2J",
                String(repeating: "n", count: 5000), "[Radio]", "x\0y", "file:///etc/passwd", "/etc/passwd",
                "a/../../../../etc/passwd",
                "a/%2e%2e/%2e%2e/etc/passwd", "file://localhost/etc/passwd", "file:///proc/self/environ",
                "FILE:/etc/passwd", "a//etc/passwd", "cdda://", "smb://127.0.0.1/x", "alsa://hw:0", "gopher://x/y",
                "concat:/etc/passwd|/etc/group", "fd://0", "pipe:0", "data:text/plain,x",
            ]
            let commands = [
                "save %", "playlistadd % \(quoted(Self.song))", "rename all %", "load %", "listplaylist %", "rm %",
                "searchaddpl % any e", "playlistclear %", "readcomments %", "albumart % 0", "readpicture % 0",
                "readlyrics %", "listfiles %", "lsinfo %", "listplaylistinfo %", "getfingerprint %", "update %",
                "addid %", "playlistadd all %", "mount stolen %", "play", "unmount stolen", "clear",
            ]
            try await Attack.run { attack in
                for name in names {
                    try await attack.expectAnswers(to: commands.map { $0.replacing("%", with: quoted(name)) })
                    #expect(!attack.output.contains("root:") && !attack.output.contains("PATH="))
                }
            }
        }

        @Test("products of tags, and lists of tags and protocols without an end")
        func tags() async throws {
            let tags = [
                "artist", "album", "title", "date", "genre", "track", "composer", "performer", "disc", "albumartist",
            ]
            try await Attack.run { attack in
                for count in [3, 6, 10] {
                    let groups = tags.prefix(count).map { "group \($0)" }.joined(separator: " ")
                    try await attack.expectAnswers(to: ["list file", "list title", "count"].map { "\($0) \(groups)" })
                }
                try await attack.expectAnswers(
                    to: [
                        "list title" + String(repeating: " group title", count: 400),
                        "tagtypes enable " + String(repeating: "artist ", count: 2000),
                        "tagtypes reset " + String(repeating: "title ", count: 2000),
                        "protocol enable " + String(repeating: "x", count: 8000), "protocol clear", "tagtypes clear",
                    ])
                let changes = ["tagtypes all", "tagtypes clear", "protocol all"]
                try await attack.expectAnswers(to: (0..<2000).flatMap { _ in changes })
            }
        }

        @Test("requests of other protocols run no command")
        func otherProtocols() async throws {
            let requests = [
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\nclear\nkill\nclear\n",
                "GET /clear HTTP/1.1\r\nHost: x\r\n\r\nclear\n", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\nclear\nclear\n",
                "OPTIONS * HTTP/1.1\r\n\r\nclear\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nclear\n", "SSH-2.0-x\r\nclear\n",
                "CONNECT x:1 HTTP/1.1\r\n\r\nclear\n", "\0\0\0\nclear\nclear\n", "EHLO x\r\nclear\n",
            ]
            try await Attack.run { attack in
                try await attack.expectAnswers(to: ["addid \(quoted(Self.song))"])
                for request in requests {
                    let answers = await attack.send(Array(request.utf8))
                    #expect(answers.isEmpty, "\(request)")
                }
                try await attack.expectAnswers(to: ["status"])
                #expect(attack.output.contains("playlistlength: 1\n"))
            }
        }

        @Test("bytes by chance, and lists in lists")
        func garbage() async throws {
            try await Attack.run { attack in
                var state: UInt64 = 1
                for number in 0..<150 {
                    let noise = (0..<(number * 200 + 1)).map { _ -> UInt8 in
                        state = state &* 6_364_136_223_846_793_005 &+ 1
                        return UInt8(truncatingIfNeeded: state >> 33)
                    }
                    let lists = "\ncommand_list_ok_begin\ncommand_list_ok_begin\ncommand_list_end\nnoidle\n"
                    await attack.send(noise + Array(lists.utf8))
                }
            }
        }

        @Test(
            "floods: none of them holds the loop, and each is answered", .enabled(if: testsEverything),
            arguments: [
                ("shuffle", 2000), ("playlistinfo", 100), ("search any e", 30), ("listallinfo", 30),
                ("repeat 1\nrepeat 0", 2000), ("status", 5000), ("list file group title", 20), ("rescan", 1000),
                ("subscribe c\nsendmessage c x\nreadmessages\nunsubscribe c", 500), ("random 1\nrandom 0", 500),
            ])
        func floods(line: String, times: Int) async throws {
            try await Attack.run { attack in
                try await attack.expectAnswers(to: ["add /"])
                let lines = Array(repeating: line, count: times).joined(separator: "\n")
                try await attack.expectAnswers(to: ["command_list_begin\n\(lines)\ncommand_list_end"])
                let singly = line.split(separator: "\n").map(String.init)
                try await attack.expectAnswers(to: (0..<(times / 10)).flatMap { _ in singly })
            }
        }

        @Test("idle and noidle without an end are answered one by one")
        func idling() async throws {
            try await Attack.run { attack in
                let answers = await attack.send(Array(String(repeating: "idle\nnoidle\n", count: 5000).utf8))
                #expect(answers.count == 5000 && Set(answers) == ["OK"])
            }
        }
    }
}

/// An argument in quotes.
private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

/// A server in memory that is attacked, and how it has fared.
@ServerActor
private final class Attack {
    /// Seconds of the processor for which one line may hold the loop, in a debug build.
    private static let maxHold = 2.0
    /// Bytes that the answers to one attack may have.
    private static let maxOutput = 64 << 20

    private let server: InProcessServer
    private let holds = LoopHolds()
    /// What was answered to the last lines.
    private(set) var output = ""

    private init(_ library: TemporaryLibrary) {
        var options = MPDServerOptions()
        // On a busy machine an answer takes longer than a client that has closed its side is usually waited for.
        (options.halfClosedTimeout, options.timeout) = (.seconds(600), .seconds(600))
        server = InProcessServer(library: library.library, options: options)
    }

    /// Attacks a server with so many songs; in the end another client is served, and the loop was never held.
    nonisolated static func run(songs: Int = 60, _ body: @ServerActor (Attack) async throws -> Void) async throws {
        let library = try await TemporaryLibrary(songs: songs)
        do {
            try await attack(library, body)
        } catch {
            try library.close()
            throw error
        }
        try library.close()
    }

    private static func attack(
        _ library: TemporaryLibrary, _ body: @ServerActor (Attack) async throws -> Void
    ) async throws {
        let attack = Attack(library)
        defer {
            attack.holds.end()
            attack.server.close()
        }
        try await body(attack)
        #expect(await attack.send(Array("ping\nstatus\n".utf8)) == ["OK", "OK"])
        #expect(attack.holds.longest < maxHold)
    }

    /// Sends lines by one client, each of which is answered by `OK` or `ACK`; gives the last lines of the answers.
    @discardableResult
    func expectAnswers(to lines: [String], _ location: SourceLocation = #_sourceLocation) async throws -> [String] {
        let answers = await send(Array((lines.joined(separator: "\n") + "\n").utf8))
        // Too long a line, or one without a command, ends the connection.
        let first = lines.prefix(answers.count + 1).last ?? ""
        #expect(
            answers.count == lines.count || first.utf8.count >= 16_000, "\(first.prefix(200)): \(answers.suffix(2))",
            sourceLocation: location)
        return answers
    }

    /// Sends bytes by a client of its own, and waits until its connection is closed.
    @discardableResult
    func send(_ bytes: [UInt8]) async -> [String] {
        guard let client = try? server.connect() else { return [] }
        var (text, size) = ([UInt8](), 0)
        client.onOutput = { piece in
            size += piece.readableBytes
            if size <= Self.maxOutput { text += piece.readableBytesView }
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            client.onClose = { continuation.resume() }
            var rest = bytes[...]
            while client.isOpen, !rest.isEmpty {
                client.send(ByteBuffer(bytes: rest.prefix(16_384)))
                rest = rest.dropFirst(16_384)
            }
            client.endInput()
        }
        #expect(size <= Self.maxOutput)
        output = String(decoding: text, as: UTF8.self)
        return check(text)
    }

    /// The last line of each answer; every line is short, and text.
    private func check(_ text: [UInt8]) -> [String] {
        var answers: [String] = []
        var isFine = true
        for line in text.split(separator: 10) {
            isFine = isFine && line.count < 4096 && !line.contains(0)
            if line.elementsEqual("OK".utf8) || line.starts(with: "ACK ".utf8) {
                answers.append(String(decoding: line, as: UTF8.self))
            }
        }
        #expect(isFine)
        return answers
    }
}

/// Measures for how long the loop's thread works between two looks at its clients, in its own time: what other threads
/// take of the processors doesn't count.
@ServerActor
private final class LoopHolds {
    /// Seconds.
    private(set) var longest = 0.0
    private var last = LoopHolds.work
    private var looking: RepeatedTask?

    init() {
        looking = ServerActor.eventLoop.scheduleRepeatedTask(
            initialDelay: .milliseconds(2), delay: .milliseconds(2)
        ) { _ in ServerActor.assumeIsolated { self.measure() } }
    }

    func end() { looking?.cancel() }

    private func measure() {
        let now = Self.work
        longest = max(longest, now - last)
        last = now
    }

    private static var work: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
