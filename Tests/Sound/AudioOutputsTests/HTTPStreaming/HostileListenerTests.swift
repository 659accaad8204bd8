import Coordination
import Logging
import NIOCore
import NIOEmbedded
import Outputs
import Testing

@testable import AudioOutputs

/// What a listener can send and do that it shouldn't, over connections that are memory, in a time that is set by hand.
@Suite("A hostile listener", .timeLimit(.minutes(1))) struct HostileListenerTests {
    /// A connection to the door.
    private final class Visit {
        let channel = EmbeddedChannel()
        /// How many bytes the door took before it closed.
        private(set) var taken = 0
        private var answer: [UInt8] = []

        init(_ door: Audience) throws {
            try door.addHandlers(to: channel)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).wait()
        }

        /// Sends bytes as a socket would bring them, for as long as the connection is open.
        func send(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while channel.isActive, !rest.isEmpty {
                let piece = rest.prefix(HostileListenerTests.pieceLength)
                rest = rest.dropFirst(piece.count)
                taken += piece.count
                _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
                channel.embeddedEventLoop.run()
            }
        }

        func wait(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

        /// Everything that was answered so far.
        var bytes: [UInt8] {
            while let piece = try? channel.readOutbound(as: IOData.self) {
                if case .byteBuffer(let bytes) = piece { answer += bytes.readableBytesView }
            }
            return answer
        }

        /// The number in the first line of the answer; nil without one.
        var status: Int? {
            let line = String(decoding: bytes.prefix { $0 != 13 }, as: UTF8.self)
            return line.hasPrefix("HTTP/1.") ? Int(line.dropFirst(9).prefix(3)) : nil
        }

        func close() { _ = try? channel.finish(acceptAlreadyClosed: true) }
    }

    private static let pieceLength = 16_384
    private static let question = Array("GET / HTTP/1.1\r\nHost: x\r\nIcy-MetaData: 1\r\n\r\n".utf8)
    /// Seconds that a listener has for its question.
    private static let patience: Int64 = 15

    private func door(
        _ settings: HTTPStreamServer.Settings = HTTPStreamServer.Settings(name: "Test", contentType: "audio/ogg")
    ) -> Audience {
        let audience = Audience(settings, count: Monitor(0), log: Logger(label: "stream"))
        audience.open()
        return audience
    }

    /// An attack, and the answers that are right; nil stands for a connection that is closed without one.
    struct Request: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let answers: Set<Int?>

        init(_ name: String, _ text: String, times: Int = 1, and more: [UInt8] = [], answers: Set<Int?> = [nil]) {
            (self.name, self.answers) = (name, answers)
            bytes = Array(String(repeating: text, count: times).utf8) + more
        }

        var testDescription: String { name }
    }

    private static let firefox = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0\r\n"
    private static let disguised = "User-Agent: VLC/3.0\r\nAccept-Language: de\r\nAccept-Encoding: identity\r\n"

    private static let askings: [(String, String, Int)] = [
        ("evil.example:8000", firefox, 421), ("evil.example:8000", "Sec-Fetch-Site: same-origin\r\n", 421),
        ("evil.example:8000", "Origin: http://evil.example:8000\r\n", 421),
        ("evil.example:8000", "Referer: http://evil.example:8000/\r\n", 421),
        ("evil.example:8000", disguised, 421), ("box\r\nHost: evil.example", firefox, 421),
        ("192.168.1.2:8000", firefox, 200), ("[fd00::2]:8000", firefox, 200), ("kitchen.local:8000", firefox, 200),
        ("kitchen:8000", firefox, 200), ("localhost:8000", firefox, 200), ("radio.example.org", firefox, 200),
        ("dyn.example:8000", "User-Agent: VLC/3.0.21 LibVLC/3.0.21\r\nAccept-Language: de\r\n", 200),
        ("dyn.example:8000", "User-Agent: Lavf/61.7.100\r\nAccept: */*\r\nIcy-MetaData: 1\r\n", 200),
        ("192.168.1.2:8000", disguised, 200), ("dyn.example:8000", "", 200),
    ]

    @Test("a browser that was led here by a stranger's name is refused, players are let in by any", arguments: askings)
    func reboundNames(host: String, fields: String, status: Int) throws {
        let origins: [(String?, Int)] = [(nil, status), ("https://music.example.org", status), ("*", 200)]
        for (allowed, expected) in origins {
            var settings = HTTPStreamServer.Settings(name: "Test", contentType: "audio/ogg")
            (settings.output.hosts, settings.output.allowedOrigin) = (["radio.example.org"], allowed)
            let visit = try Visit(door(settings))
            visit.send(Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n".utf8))
            #expect(visit.status == expected, "\(host) \(fields) with \(allowed ?? "no origin")")
            visit.close()
        }
    }

    private static let requests: [Request] = [
        Request("a field without an end", "GET / HTTP/1.1\r\nX: ", and: [UInt8](repeating: 0x78, count: 8_000_000)),
        Request("an address without an end", "GET /", and: [UInt8](repeating: 0x61, count: 8_000_000)),
        Request("fields without number", "GET / HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 90_000)),
        Request("requests without number", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", times: 20_000, answers: [200]),
        Request(
            "a body of gigabytes", "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
            and: [UInt8](repeating: 0x78, count: 1_000_000)),
        Request("bytes by chance", "", and: byChance(1 << 20)),
        Request(
            "a chunk of gigabytes", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n",
            and: [UInt8](repeating: 0x78, count: 900_000)),
        Request("empty lines without number", "\r\n", times: 900_000),
        Request("a NUL in the method", "GET\0/ HTTP/1.1\r\n\r\n"),
        Request("TLS", "", and: [UInt8](repeating: 0x16, count: 5000)),
        Request(
            "HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", and: [UInt8](repeating: 0, count: 9000), answers: [nil, 405]),
        Request("a proxy's address", "GET http://inside/ HTTP/1.1\r\n\r\n", answers: [200]),
        Request("a tunnel", "CONNECT 127.0.0.1:22 HTTP/1.1\r\n\r\n", answers: [nil, 405]),
        Request(
            "another version", "GET / HTTP/9.9\r\nRange: bytes=0-99999999999999999999\r\n\r\n", answers: [nil, 200]),
        Request("a path upwards", "GET /../../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", answers: [200]),
        Request("a negative length", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
        Request("the beginning of a request", "GET"),
        Request("nothing", ""),
        Request(
            "a WebSocket", "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
            and: [UInt8](repeating: 255, count: 9000), answers: [nil, 200]),
        Request("MPD's protocol", "clear\nkill\nplay\n"),
    ]

    private static func byChance(_ count: Int) -> [UInt8] {
        var state: UInt64 = 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    @Test(
        "asks for what is no stream: its request has an end, it gets one answer or none, and the next one is let in",
        arguments: requests)
    func request(_ request: Request) throws {
        let door = door()
        // More than may be connected from one address, so that each has to give its place back.
        for _ in 0..<20 {
            let visit = try Visit(door)
            visit.send(request.bytes)
            #expect(visit.taken <= 2 * Self.pieceLength)
            door.send([1, 2, 3], isHeader: false)
            let status = visit.status
            #expect(request.answers.contains(status))
            if status != 200 { visit.wait(Self.patience + 1) }
            if status != 200 || visit.taken > Self.pieceLength { #expect(!visit.channel.isActive) }
            let answer = String(decoding: visit.bytes, as: UTF8.self)
            #expect(answer.split(separator: "HTTP/1.1 ").count <= 1 && !answer.contains("root:"))
            visit.close()
        }
        let next = try Visit(door)
        next.send(Self.question)
        #expect(next.status == 200)
        next.close()
    }

    @Test("drips its request: it has no more time than one that says nothing")
    func drips() throws {
        let visit = try Visit(door())
        visit.send(Array("GET / HTTP/1.1\r\n".utf8))
        var seconds: Int64 = 0
        while visit.channel.isActive, seconds < 100 {
            visit.send(Array("X: y\r\n".utf8))
            visit.wait(1)
            seconds += 1
        }
        #expect(seconds == Self.patience)
        visit.close()
    }

    @Test("goes in the middle of its request: its place is free again")
    func comesAndGoes() throws {
        let door = door()
        for length in Self.question.indices {
            for _ in 0..<20 {
                let visit = try Visit(door)
                visit.send(Array(Self.question.prefix(length)))
                visit.close()
            }
        }
        let everybody = try (0..<16).map { _ in try Visit(door) }
        for visit in everybody { visit.send(Self.question) }
        #expect(everybody.allSatisfy { $0.status == 200 })
        for visit in everybody { visit.close() }
    }

    @Test(
        "hears a song with an odd title: the head and the sound stay as they are",
        arguments: [
            "e" + String(repeating: "\u{301}", count: 2100), "a\r\nIcy-X: y\r\n\r\n", "'; StreamUrl='http://x/'",
            String(repeating: "\u{1F3B5}", count: 3000), "plain", "\0", "",
        ])
    func titles(title: String) throws {
        let door = door()
        door.setTitle(title)
        let visit = try Visit(door)
        visit.send(Self.question)
        for _ in 0..<5 { door.send([UInt8](repeating: 7, count: 5000), isHeader: false) }
        let bytes = visit.bytes
        let end = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) }) + 4
        #expect(!String(decoding: bytes[..<end], as: UTF8.self).contains("Icy-X"))
        let block = end + TitleInterleaver.interval
        let length = Int(bytes[block]) * 16
        #expect(bytes[end..<block].allSatisfy { $0 == 7 })
        let text = bytes[(block + 1)..<(block + 1 + length)].prefix { $0 != 0 }
        #expect(text.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && text.filter { $0 == UInt8(ascii: "'") }.count == 2)
        #expect(bytes[(block + 1 + length)...].prefix(TitleInterleaver.interval).allSatisfy { $0 == 7 })
        visit.close()
    }
}
