/// All that can be wrong with HTTP, as a server sends it.
package struct HTTPAttack: Sendable, CustomStringConvertible {
    /// What is wrong.
    package var name: String
    /// The answer.
    package var answer: RawServer.Answer

    /// The name.
    package var description: String { name }

    /// Whether it ends only when the client hangs up.
    package var isEndless: Bool { if case .repeats = answer.ending { true } else { false } }

    private init(_ name: String, _ answer: RawServer.Answer) { (self.name, self.answer) = (name, answer) }

    /// Those that have no end but the other side's: a client that gives none up waits without an end.
    package static let endless: [HTTPAttack] = [
        HTTPAttack(
            "endless headers", RawServer.Answer(head, then: .repeats(bytes("X-Header: long enough\r\n", 1000)))),
        HTTPAttack("an endless header", RawServer.Answer(head + bytes("X: "), then: .repeats(bytes("x", 1 << 16)))),
        HTTPAttack("an endless body", .raw([], then: .repeats(bytes(" ", 1 << 16)))),
        HTTPAttack(
            "endless chunks", .raw(["Transfer-Encoding: chunked"], then: .repeats(bytes("1\r\n \r\n", 10_000)))),
    ]

    /// The beginning of a head.
    private static let head = bytes("HTTP/1.1 200 OK\r\n")

    /// Those that a client ends only by its patience.
    package static let slow: [HTTPAttack] = [
        HTTPAttack("silence", RawServer.Answer([], then: .drips([]))),
        HTTPAttack("dripping headers", RawServer.Answer(head, then: .drips(bytes("X: y\r\n")))),
        HTTPAttack(
            "endless continues", RawServer.Answer([], then: .drips(bytes("HTTP/1.1 100 Continue\r\n\r\n", 100)))),
        HTTPAttack("a body that stops", .raw(["Content-Length: 100000"], body: "{", then: .drips([]))),
    ]

    /// Those with an end of their own.
    package static let finite: [HTTPAttack] = [
        HTTPAttack("no head", RawServer.Answer(bytes("{}\n", 5000))),
        HTTPAttack("TLS", RawServer.Answer(bytes("\u{16}\u{3}\u{3}\u{7f}\u{7f}", 999))),
        HTTPAttack("a connection that closes", RawServer.Answer([])),
        HTTPAttack("a length of 2^63", .raw(["Content-Length: 9223372036854775807"], body: "{")),
        HTTPAttack("a length of 10^23", .raw(["Content-Length: 99999999999999999999999"], body: "{")),
        HTTPAttack("a length of -1", .raw(["Content-Length: -1"])),
        HTTPAttack("two lengths", .raw(["Content-Length: 2", "Content-Length: 40"], body: "{}")),
        HTTPAttack("a chunk of 2^64", .raw(["Transfer-Encoding: chunked"], body: "FFFFFFFFFFFFFFFF\r\n{}")),
        HTTPAttack("a chunk of -1", .raw(["Transfer-Encoding: chunked"], body: "-1\r\n{}\r\n")),
        HTTPAttack("a cut answer", .raw(["Content-Length: 99"], body: "{")),
        HTTPAttack("a long header", .raw(["X: " + String(repeating: "x", count: 2_000_000)], body: "")),
        HTTPAttack("many headers", .raw((0..<100_000).map { "X\($0): y" })),
        HTTPAttack("a status of 999", .raw(["Content-Length: 0"], status: "999 \u{1b}[2J")),
        HTTPAttack("a status of 99999", .raw(["Content-Length: 0"], status: "99999 x")),
        HTTPAttack("a bomb", .page(Bomb.bytes, ["Content-Encoding: gzip"])),
        HTTPAttack(
            "bombs in bombs",
            .page([0x1F, 0x8B, 8] + [UInt8](repeating: 0, count: 17), ["Content-Encoding: gzip, gzip, gzip"])),
        HTTPAttack("a web page", .page(bytes("<html><body>Login</body></html>"), type: "text/html")),
    ]

    /// Redirections, which carry credentials and questions elsewhere where they are followed.
    ///
    /// - Parameter url: the address of a server that no one may ask.
    package static func redirections(to url: String) -> [HTTPAttack] {
        [
            ("301 Moved", url), ("302 Found", "\(url)/rest/ping.view"), ("307 Moved", url), ("308 Moved", url),
            ("302 Found", "/rest/ping.view"), ("301 Moved", "file:///etc/passwd"), ("302 Found", ""),
        ].map { HTTPAttack("\($0) \($1)", .page([], ["Location: \($1)"], status: $0)) }
    }

    private static func bytes(_ text: String, _ count: Int = 1) -> [UInt8] {
        let piece = Array(text.utf8)
        return (0..<count).reduce(into: []) { bytes, _ in bytes += piece }
    }
}

/// Ten mebibytes of spaces behind the beginning of an answer, as 65 kilobytes of gzip.
private enum Bomb {
    static let bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + body + [UInt8](repeating: 0, count: 8)

    /// A block of deflate with fixed codes: a space, and it again 258 times, 40,000 times over.
    private static let body: [UInt8] = {
        // Of a last block with fixed codes (1, then 01 from its lowest bit), and a space, whose code is 0x50.
        let head = [1, 1, 0] + code(0x50, 8)
        // Eight repetitions of thirteen bits are thirteen whole bytes, wherever in them one begins.
        let eight = (0..<8).flatMap { _ in code(0b1100_0101, 8) + code(0, 5) }
        let start = head + eight
        let whole = start.count / 8 * 8
        let place = whole - head.count
        let pattern = packed((eight + eight)[place..<(place + eight.count)])
        return (0..<5000).reduce(into: packed(start[..<whole])) { bytes, _ in bytes += pattern }
    }()

    private static func code(_ value: Int, _ length: Int) -> [Int] {
        (0..<length).map { value >> (length - 1 - $0) & 1 }
    }

    private static func packed(_ bits: ArraySlice<Int>) -> [UInt8] {
        stride(from: bits.startIndex, to: bits.endIndex, by: 8).map { start in
            (0..<8).reduce(0) { $0 | UInt8(bits[start + $1]) << $1 }
        }
    }
}
