import FuzzTargets
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import WebAPI
@testable import WebServer

/// What a browser or a script can send that it shouldn't, over connections that are memory, in a time that is set by
/// hand. What the server lets in is read as all resources would read it.
@Suite("A hostile request", .timeLimit(.minutes(1)))
struct HostileRequestTests {
    private static let host = "Host: localhost\r\n"
    private static let post = "POST /api/mpd HTTP/1.1\r\n\(host)Content-Type: application/json\r\n"
    private static let chunked = "\(post)Transfer-Encoding: chunked\r\n\r\n"

    /// An attack, and the statuses that are right.
    struct Request: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let statuses: Set<Int>

        init(_ name: String, _ text: String, and more: [UInt8] = [], times: Int = 1, statuses: Set<Int>) {
            (self.name, self.statuses) = (name, statuses)
            bytes = Array(text.utf8) + Array(Array(repeating: more, count: times).joined())
        }

        var testDescription: String { name }
    }

    private static func body(_ bytes: [UInt8], statuses: Set<Int>, _ name: String) -> Request {
        Request(name, "\(post)Content-Length: \(bytes.count)\r\n\r\n", and: bytes, statuses: statuses)
    }

    private static let requests: [Request] = [
        Request("no request at all", "nonsense\r\n\r\n", statuses: [400]),
        Request("MPD's protocol", "status\nlistall\n", statuses: [400]),
        Request("TLS", "\u{16}\u{3}\u{1}\u{2}", and: [0, 1, 255], times: 100, statuses: [400]),
        Request("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", and: [0], times: 100, statuses: [400]),
        Request("no host", "GET / HTTP/1.1\r\n\r\n", statuses: [400]),
        Request("two hosts", "GET / HTTP/1.1\r\n\(host)Host: evil.example\r\n\r\n", statuses: [400]),
        Request("a proxy's address", "GET http://evil/ HTTP/1.1\r\n\(host)\r\n", statuses: [400]),
        Request("an address that can't be decoded", "GET /%zz HTTP/1.1\r\n\(host)\r\n", statuses: [400]),
        Request(
            "an address of bytes", "GET /", and: [0xFF, 0xFE] + Array(" HTTP/1.1\r\n\(host)\r\n".utf8),
            statuses: [400]),
        Request("a path upwards", "GET /../../etc/passwd HTTP/1.1\r\n\(host)\r\n", statuses: [400]),
        Request("a path upwards in disguise", "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\n\(host)\r\n", statuses: [400]),
        Request(
            "a long address", "GET /api/songs?q=\(String(repeating: "x", count: 5000)) HTTP/1.1\r\n\(host)\r\n",
            statuses: [414]),
        Request(
            "a deep address", "GET /api/\(String(repeating: "a/", count: 1500)) HTTP/1.1\r\n\(host)\r\n",
            statuses: [404, 414]),
        Request("a field without an end", "GET / HTTP/1.1\r\n\(host)X: ", and: [0x79], times: 100_000, statuses: [431]),
        Request(
            "fields without number", "GET / HTTP/1.1\r\n\(host)", and: Array("a: b\r\n".utf8), times: 50_000,
            statuses: [400, 431]),
        Request("a body of gigabytes", "\(post)Content-Length: 99999999999\r\n\r\n", statuses: [413]),
        Request(
            "a body without a length", chunked,
            and: Array("10000\r\n".utf8) + [UInt8](repeating: 0x5B, count: 65_536) + [13, 10], times: 20,
            statuses: [413]),
        Request("a length twice", "\(post)Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n", statuses: [400]),
        Request("a chunk of no length", "\(chunked)zz\r\n", statuses: [400]),
        Request("a chunk of a length that is no number", "\(chunked)ffffffffffffffffffff\r\n", statuses: [400]),
        Request("a chunk that is longer than it says", "\(chunked)2\r\n[]xx\r\n", statuses: [400]),
        Request("a chunk of a negative length", "\(chunked)-1\r\n\r\n", statuses: [400]),
        body([UInt8](repeating: 0x5B, count: 900_000), statuses: [400], "brackets without number"),
        body(Array("{\"a\":".utf8) + [UInt8](repeating: 0xFF, count: 9), statuses: [400], "a body of bytes"),
        body(
            Array("[[\"status\",\"\u{0}\"], 1e999, {\"ids\": [9223372036854775808, -1e308]}]".utf8),
            statuses: [200, 400], "the largest of numbers"),
        Request(
            "a form", "POST /api/mpd HTTP/1.1\r\n\(host)Content-Type: text/plain\r\nContent-Length: 11\r\n\r\n",
            and: Array("[[\"clear\"]]".utf8), statuses: [415]),
    ]

    @Test("is told what is wrong, is read no further than it may be long, and is closed", arguments: requests)
    func refusal(_ request: Request) throws {
        for length in [16_384, 1460] {
            let visit = try Visit()
            visit.send(request.bytes, pieceLength: length)
            #expect(visit.taken <= WebLimits.body + (128 << 10))
            if visit.statuses.isEmpty { visit.wait(WebLimits.request + 1) }
            let statuses = visit.statuses
            #expect(statuses.count == 1 && request.statuses.isSuperset(of: statuses), "\(statuses)")
            if statuses != [200] { #expect(visit.text.contains("{\"error\":{")) }
            visit.close()
        }
    }

    @Test("comes by chance: it is no more than refused", arguments: 0..<60)
    func chance(seed: Int) throws {
        let starts = [
            "GET / HTTP/1.1\r\n\(Self.host)", "\(Self.post)Content-Length: ", "\u{16}\u{3}\u{1}", Self.chunked,
            "GET /%zz HTTP/1.1\r\n\(Self.host)\r\n", "GET http://evil/ HTTP/1.1\r\n", "",
        ]
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        let noise = (0..<(seed * 20 + 1)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        let visit = try Visit()
        visit.send(Array(starts[seed % starts.count].utf8) + noise, pieceLength: seed * 7 % 1000 + 1)
        visit.wait(WebLimits.idle + WebLimits.request + 1)
        #expect(visit.statuses.allSatisfy { (400..<500).contains($0) })
        #expect(!visit.channel.isActive)
        visit.close()
    }

    @Test(
        "comes too slowly: all of it has 15 seconds, however it comes, and one who has said nothing is told nothing",
        arguments: [
            ("", "", []), ("GET / HT", "", [408]), ("\(post)Content-Length: 100\r\n\r\n[", "", [408]),
            ("", "G", [400, 408]), ("GET / HTTP/1.1\r\n", "X: y\r\n", [408]),
            ("\(post)Content-Length: 100\r\n\r\n", "[", [408]),
        ] as [(String, String, Set<Int>)])
    func slow(start: String, drip: String, statuses: Set<Int>) throws {
        let visit = try Visit()
        visit.send(Array(start.utf8))
        var seconds: Int64 = 0
        while visit.channel.isActive, visit.statuses.isEmpty, seconds < 100 {
            visit.send(Array(drip.utf8))
            visit.wait(1)
            seconds += 1
        }
        #expect(seconds <= WebLimits.request)
        #expect(visit.statuses.isEmpty ? statuses.isEmpty : statuses.isSuperset(of: visit.statuses))
        if visit.statuses == [408] { #expect(visit.text.contains("15 seconds")) }
        visit.wait(WebLimits.linger + 1)
        #expect(!visit.channel.isActive)
        visit.close()
    }

    @Test("follows a whole one and is none: the one before has its answer all the same")
    func behind() throws {
        let visit = try Visit()
        visit.send(Array("GET /api/songs HTTP/1.1\r\n\(Self.host)\r\n".utf8) + [255, 255, 255, 13, 10])
        visit.wait(WebLimits.idle + 1)
        #expect(visit.statuses == [200, 400])
        #expect(!visit.channel.isActive)
        visit.close()
    }

    @Test(
        "asks for a long answer, packed or not: others have their turn before it is whole",
        arguments: ["gzip", "identity"])
    func longAnswer(coding: String) throws {
        let visit = try Visit()
        var shown: [Int] = []
        visit.send(Array("GET /long HTTP/1.1\r\n\(Self.host)Accept-Encoding: \(coding)\r\n\r\n".utf8)) {
            shown.append(visit.count)
        }
        let whole = visit.text
        #expect(visit.statuses == [200] && whole.hasSuffix(coding == "gzip" ? "\r\n0\r\n\r\n" : "end"))
        #expect(shown.count == 4 && Set(shown).count == 4 && shown.allSatisfy { $0 < visit.count })
        // The connection goes on.
        visit.send(Array("GET /api/songs HTTP/1.1\r\n\(Self.host)\r\n".utf8))
        #expect(visit.statuses.count == 2)
        visit.close()
    }

    @Test("says little from many addresses: one who comes then has a place, and a whole request an answer")
    func crowd() throws {
        let loop = EmbeddedEventLoop()
        let server = HTTPServer(WebSettings(), answers: Visit.ReadingEverything(), log: Logger(label: "web"), on: loop)
        var open: [EmbeddedChannel] = []
        /// Whether one who comes is let in.
        func isIn(_ address: String, _ text: String) throws -> Bool {
            let channel = EmbeddedChannel(loop: loop)
            channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1000)
            try server.accept(channel)
            var isIn = true
            channel.closeFuture.assumeIsolated().whenComplete { _ in isIn = false }
            loop.run()
            guard isIn else { return false }
            open.append(channel)
            try channel.connect(to: SocketAddress(ipAddress: address, port: 1000)).wait()
            _ = try? channel.writeInbound(ByteBuffer(string: text))
            return true
        }
        for host in 0..<64 { for _ in 0..<5 { #expect(try isIn("10.0.0.\(host)", "GET / HT")) } }
        #expect(try isIn("10.0.1.1", "GET /api/songs HTTP/1.1\r\n\(Self.host)\r\n"))
        loop.run()
        #expect(try open.last?.readOutbound(as: IOData.self) != nil)
        // Of one address no more than 64 come in, and of a network of 64 bits with version 6.
        let many = try (1...70).count { try isIn("2001:db8::\($0)", "GET / HT") }
        #expect(many == WebLimits.connectionsOfAddress)
        for channel in open { _ = try? channel.finish(acceptAlreadyClosed: true) }
    }

    // MARK: WebSockets

    private static let upgrade = Array(
        """
        GET /socket HTTP/1.1\r\n\(host)Upgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n
        """.utf8)

    /// A piece of a text that goes on.
    private static let piece: [UInt8] = [0, 0xFE, 0x03, 0xE8, 0, 0, 0, 0] + [UInt8](repeating: 0x5B, count: 1000)
    private static let longest: [UInt8] = [0x81] + [UInt8](repeating: 0xFF, count: 9)

    @Test(
        "is a frame that is none: its socket ends, and no more of it is kept than a message may be long",
        arguments: [
            ([0x81, 0xFE, 0xFF, 0xFF], 1), (longest, 1), ([0x81, 0x05, 0x68, 0x65, 0x6C, 0x6C, 0x6F], 1),
            ([0xF1, 0x80, 0x2E, 0x2E, 0x2E, 0x2E], 1), ([0x83, 0x80, 0x2E, 0x2E, 0x2E, 0x2E], 1),
            ([0x09, 0xFE, 0x01, 0x00], 1), (piece, 5000), ([0x01, 0x80, 0, 0, 0, 0], 100_000),
        ] as [([UInt8], Int)])
    func frames(frame: [UInt8], times: Int) throws {
        let visit = try Visit()
        visit.send(Self.upgrade)
        #expect(visit.statuses == [101])
        // The first of many pieces says that they are a text.
        visit.send([frame[0] | 0x01] + frame.dropFirst() + Array(repeating: frame, count: times - 1).joined())
        #expect(visit.taken <= 4 * WebLimits.message)
        // One who answers no ping is gone at the second.
        visit.wait(2 * WebLimits.ping + 1)
        #expect(!visit.channel.isActive)
        visit.close()
    }
}

/// A connection to a server of its own, which answers with what it has read.
private final class Visit {
    let channel = EmbeddedChannel()
    /// How many bytes the server took before it answered or closed.
    private(set) var taken = 0
    private var answer: [UInt8] = []

    init() throws {
        let server = HTTPServer(
            WebSettings(), answers: ReadingEverything(), log: Logger(label: "web"), on: channel.embeddedEventLoop)
        try server.accept(channel)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).wait()
    }

    /// Sends a request, and has its turn four times while the answer is made.
    func send(_ bytes: [UInt8], turn: @escaping () -> Void) {
        _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
        takeTurns(4, turn)
        channel.embeddedEventLoop.run()
    }

    private func takeTurns(_ count: Int, _ turn: @escaping () -> Void) {
        guard count > 0 else { return }
        channel.embeddedEventLoop.execute { [self] in
            turn()
            takeTurns(count - 1, turn)
        }
    }

    func send(_ bytes: [UInt8], pieceLength: Int = 16_384) {
        var rest = bytes[...]
        while channel.isActive, !rest.isEmpty {
            let piece = rest.prefix(pieceLength)
            rest = rest.dropFirst(piece.count)
            taken += piece.count
            _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
            channel.embeddedEventLoop.run()
        }
    }

    func wait(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    /// Everything that was answered so far.
    var text: String {
        take()
        return String(decoding: answer, as: UTF8.self)
    }

    /// How many bytes were answered so far.
    var count: Int {
        take()
        return answer.count
    }

    private func take() {
        while let piece = try? channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let bytes) = piece { answer += bytes.readableBytesView }
        }
    }

    /// The statuses of all answers so far.
    var statuses: [Int] { text.split(separator: "HTTP/1.1 ").compactMap { Int($0.prefix(3)) } }

    func close() { _ = try? channel.finish(acceptAlreadyClosed: true) }

    /// Reads a request as all routes would; one for a socket gets one that says nothing.
    fileprivate struct ReadingEverything: RequestAnswering {
        @concurrent func answer(to request: HTTPRequest) async -> HTTPResponse {
            RequestReading.readEverything(request)
        }

        func answer(to refusal: RequestRefusal) -> HTTPResponse { RequestReading.answer(to: refusal) }

        func answerAtOnce(to request: HTTPRequest) -> HTTPResponse? {
            if request.path == ["long"] {
                let body = (0..<40_000).map { String($0 &* 2_654_435_761) }.joined(separator: ",") + "end"
                return HTTPResponse(.ok, ByteBuffer(string: body), type: "application/json")
            }
            guard request.path == ["socket"] else { return RequestReading.readEverything(request) }
            return HTTPResponse(body: .webSocket(Silent(), subprotocol: nil))
        }
    }

    private final class Silent: SocketOwner {
        func opened(_ socket: MessageSocket) {}
        func received(_ message: ByteBuffer, on socket: MessageSocket) {}
        func closed(_ socket: MessageSocket) {}
    }
}
