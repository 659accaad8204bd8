import Coordination
import Foundation
import Glibc
import MusicModel
@testable import Supervision
import Synchronization
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

    @Test("an error with those beneath it stays one line that no terminal obeys")
    func errors() {
        struct Refusal: ChainedError {
            let description: String
            let origin: ErrorOrigin
        }
        let answer = Refusal(description: "HTTP 500\n2026 error fake\u{1b}[2J", origin: ErrorOrigin())
        let error = Refusal(description: "the server refuses", origin: ErrorOrigin(answer))
        let line = LogText.message("a play has to wait: \(chain: error)")
        #expect(line.hasPrefix("a play has to wait: the server refuses [SupervisionTests/ServiceLogTests.swift:"))
        #expect(line.contains("] <- HTTP 500\\n2026 error fake\\u{1b}[2J ["))
        #expect(!line.contains("\n") && !line.contains("\u{1b}"))
    }

    @Test("a value that is too long is cut")
    func long() {
        let text = LogText.value(String(repeating: "x", count: 1_000_000))
        #expect(text.utf8.count < LogText.maxLength + 8)
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
    private func text(from descriptor: CInt) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("lines arrive whole and in order")
    func order() throws {
        let ends = try PipeEnds()
        let writer = LogWriter(to: DescriptorLog(ends.writing))
        for number in 0..<100 { writer.write(LogRecord(line: "line \(number)\n")) }
        writer.flush(within: .seconds(30))
        close(ends.writing)
        #expect(text(from: ends.reading) == (0..<100).map { "line \($0)\n" }.joined())
        close(ends.reading)
    }

    @Test("a pipe that is not read holds nothing up, and the lost lines are counted")
    func fullPipe() throws {
        let ends = try PipeEnds()
        let writer = LogWriter(to: DescriptorLog(ends.writing), limit: 10_000) { LogRecord(line: "lost \($0)\n") }
        let line = String(repeating: "x", count: 99) + "\n"
        // More than a pipe holds (64 KiB) and more than may wait; nothing reads before they are written.
        for _ in 0..<5_000 { writer.write(LogRecord(line: line)) }
        writer.flush(within: .milliseconds(20))
        // Now it is read.
        let read = Monitor<String?>(nil)
        #expect(
            BlockingThread.start("reader") {
                let text = text(from: ends.reading)
                read.update { $0 = text }
            })
        writer.flush(within: .seconds(30))
        writer.write(LogRecord(line: "last\n"))
        writer.flush(within: .seconds(30))
        close(ends.writing)
        let lines = try #require(read.wait(milliseconds: 60_000) { $0 }).split(separator: "\n")
        let kept = lines.count { $0.hasPrefix("x") }
        let lost = lines.filter { $0.hasPrefix("lost ") }.compactMap { Int($0.dropFirst(5)) }.reduce(0, +)
        #expect(lost > 0)
        #expect(kept + lost == 5_000)
        #expect(lines.last == "last")
        close(ends.reading)
    }
}

@Suite("Writing to systemd's journal")
struct JournalLogTests {
    /// Lines that the journal refused.
    private final class Lines: LogDestination {
        let all = Mutex<[String]>([])
        func write(_ records: [LogRecord]) { all.withLock { $0 += records.map(\.line) } }
    }

    /// A socket that takes datagrams as the journal's does.
    private func journal(at path: String) -> CInt {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0)
        return descriptor
    }

    private func datagram(from descriptor: CInt) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : []
    }

    @Test("fields arrive apart, and line breaks in a value make no other field")
    func fields() throws {
        let path = "/tmp/segue-journal-\(UUID().uuidString.prefix(8))"
        let journal = journal(at: path)
        defer { close(journal); unlink(path) }
        let lines = Lines()
        let log = try #require(JournalLog(path: path, otherwise: lines))
        let fields = [JournalField("MESSAGE", "a song"), JournalField("SEGUE_TITLE", "one\nPRIORITY=0")]
        log.write([LogRecord(line: "a song\n", fields: fields)])
        let length: [UInt8] = [14, 0, 0, 0, 0, 0, 0, 0]
        let expected = Array("MESSAGE=a song\nSEGUE_TITLE\n".utf8) + length + Array("one\nPRIORITY=0\n".utf8)
        #expect(datagram(from: journal) == expected)
        #expect(lines.all.withLock { $0.isEmpty })
    }

    @Test("without a journal the lines are written, and a journal that comes back gets the next")
    func restart() throws {
        let path = "/tmp/segue-journal-\(UUID().uuidString.prefix(8))"
        let lines = Lines()
        #expect(JournalLog(path: path, otherwise: lines) == nil)
        let first = journal(at: path)
        let log = try #require(JournalLog(path: path, otherwise: lines))
        close(first)
        unlink(path)
        log.write([LogRecord(line: "kept\n", fields: [JournalField("MESSAGE", "kept")])])
        #expect(lines.all.withLock { $0 } == ["kept\n"])
        let second = journal(at: path)
        defer { close(second); unlink(path) }
        log.write([LogRecord(line: "next\n", fields: [JournalField("MESSAGE", "next")])])
        #expect(datagram(from: second) == Array("MESSAGE=next\n".utf8))
    }

    @Test(
        "names are such as the journal takes",
        arguments: [
            ("segue_peer", "SEGUE_PEER"), ("_PID", "X_PID"), ("two words", "TWO_WORDS"), ("", "X"), ("9", "X9"),
            ("caf\u{e9}", "CAF_"),
        ])
    func names(name: String, expected: String) { #expect(JournalField(name, "").name == expected) }
}
