import Glibc
import ServiceLog
import Testing

@Suite("What stands in the log")
struct LogTextTests {
    @Test(
        "nothing in a value is obeyed by a terminal or taken for another line",
        arguments: [
            ("plain", "plain"), ("127.0.0.1:6600", "127.0.0.1:6600"), ("", "\"\""), ("two words", "\"two words\""),
            ("a=b", "\"a=b\""), ("say \"no\"", "\"say \\\"no\\\"\""), ("back\\slash", "\"back\\\\slash\""),
            ("line\nnext", "\"line\\nnext\""), ("\u{1b}]0;title\u{7}", "\"\\u{1b}]0;title\\u{7}\""),
            ("\u{9b}31m", "\"\\u{9b}31m\""), ("a\u{202e}b", "\"a\\u{202e}b\""), ("a\u{2066}b", "\"a\\u{2066}b\""),
            ("a\u{2028}b", "\"a\\u{2028}b\""), ("Bj\u{f6}rk", "\"Bj\u{f6}rk\""), ("\u{7f}", "\"\\u{7f}\""),
        ])
    func values(text: String, expected: String) { #expect(LogText.value(text) == expected) }

    @Test("a message keeps its quotation marks and loses its control characters")
    func messages() {
        #expect(LogText.message("\"x\" is wrong") == "\"x\" is wrong")
        #expect(LogText.message("x\r\n2026 error fake") == "x\\r\\n2026 error fake")
        #expect(LogText.message("caf\u{e9} \u{1b}[2J") == "caf\u{e9} \\u{1b}[2J")
    }

    @Test("a value that is too long is cut")
    func long() {
        let text = LogText.value(String(repeating: "x", count: 1_000_000))
        #expect(text.utf8.count < LogText.longest + 8)
        #expect(text.hasSuffix("…\""))
    }
}

@Suite("Many events in the log")
struct LogLimiterTests {
    private let start = ContinuousClock.now

    @Test("of equal events the first pass, and the others are counted once the window is over")
    func equal() {
        var limiter = LogLimiter()
        let passed = (0..<1000).count { _ in limiter.admits("a command failed", at: start) }
        #expect(passed == LogLimiter.burst)
        let isOtherAdmitted = limiter.admits("something else", at: start)
        #expect(isOtherAdmitted)
        let early = limiter.summaries(at: start)
        #expect(early.isEmpty)
        let end = start + LogLimiter.window
        let summaries = limiter.summaries(at: end)
        #expect(summaries == ["a command failed (\(1000 - LogLimiter.burst) more like this)"])
        let again = limiter.summaries(at: end)
        #expect(again.isEmpty)
        let isAdmitted = limiter.admits("a command failed", at: end)
        #expect(isAdmitted)
    }

    @Test("events of the server's own, which may name different files, have more room")
    func own() {
        var limiter = LogLimiter()
        let passed = (0..<100).count { _ in limiter.admits("a file", passing: LogLimiter.ownBurst, at: start) }
        #expect(passed == LogLimiter.ownBurst)
        let summaries = limiter.summaries(at: start + LogLimiter.window)
        #expect(summaries == ["a file (50 more like this)"])
    }

    @Test("different events have a limit too, and cost bounded memory")
    func different() {
        var limiter = LogLimiter()
        let passed = (0..<100_000).count { limiter.admits("event \($0)", at: start) }
        #expect(passed == LogLimiter.total)
        let summaries = limiter.summaries(at: start + LogLimiter.window)
        #expect(summaries.count <= 33)
        #expect(!summaries.isEmpty)
    }
}

@Suite("Writing the log", .serialized)
struct LogWriterTests {
    private func pipeEnds() -> (read: CInt, write: CInt) {
        var ends: [CInt] = [0, 0]
        pipe(&ends)
        return (ends[0], ends[1])
    }

    private func text(from descriptor: CInt) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("lines arrive whole and in order")
    func order() {
        let ends = pipeEnds()
        let writer = LogWriter(descriptor: ends.write)
        for number in 0..<100 { writer.write("line \(number)\n") }
        writer.flush(within: .seconds(30))
        close(ends.write)
        #expect(text(from: ends.read) == (0..<100).map { "line \($0)\n" }.joined())
        close(ends.read)
    }

    @Test("a pipe that nobody reads holds nobody up, and the lost lines are counted")
    func fullPipe() async throws {
        let ends = pipeEnds()
        let writer = LogWriter(descriptor: ends.write, limit: 10_000) { "lost \($0)\n" }
        let line = String(repeating: "x", count: 99) + "\n"
        let start = ContinuousClock.now
        // More than a pipe holds (64 KiB) and more than may wait.
        for _ in 0..<5_000 { writer.write(line) }
        #expect(ContinuousClock.now - start < .seconds(10))
        writer.flush(within: .milliseconds(20))
        // Now somebody reads.
        let reader = Task.detached { text(from: ends.read) }
        writer.flush(within: .seconds(30))
        writer.write("last\n")
        writer.flush(within: .seconds(30))
        close(ends.write)
        let lines = await reader.value.split(separator: "\n")
        let kept = lines.count { $0.hasPrefix("x") }
        let lost = lines.filter { $0.hasPrefix("lost ") }.compactMap { Int($0.dropFirst(5)) }.reduce(0, +)
        #expect(lost > 0)
        #expect(kept + lost == 5_000)
        #expect(lines.last == "last")
        close(ends.read)
    }
}
