import Glibc
import Testing

@testable import AudioOutputs
@testable import FuzzTargets

/// What a Snapcast server can say that it shouldn't, heard as the control's thread does.
///
/// After each of its messages every client and group is set and switched, which finds values out of range, control
/// characters, and requests that are no lines.
@Suite("A hostile Snapcast server", .timeLimit(.minutes(2))) struct HostileSnapcastTests {
    /// Seconds of the processor that one attack may take, in a debug build.
    private static let maxWork = 20.0

    /// Takes in what the server sends, and looks at what has become of it.
    private func hear(_ text: String, isUsed: Bool = true) -> SnapcastRooms {
        let (bytes, pieceLength, began) = (Array(text.utf8), 65_536, Self.work)
        if isUsed { #expect(UntrustedInput.hearSnapcast(bytes, pieceLength: pieceLength) == nil) }
        var (lines, rooms) = (SnapcastLineBuffer(), SnapcastRooms(stream: "Segue"))
        rooms.connected()
        _ = rooms.takeRequests()
        for start in stride(from: 0, to: bytes.count, by: pieceLength) {
            let piece = Array(bytes[start..<min(bytes.count, start + pieceLength)])
            for line in (try? lines.add(piece)) ?? [] { Self.take(line, &rooms) }
        }
        #expect(Self.work - began < Self.maxWork)
        #expect(rooms.clients.count <= SnapcastMessage.maxRooms && rooms.groups.count <= SnapcastMessage.maxRooms)
        for room in rooms.rooms {
            // A line of an answer has 4,096 bytes.
            #expect(room.name.utf8.count <= 256 && room.attributes.allSatisfy { $0.value.utf8.count <= 1024 })
        }
        return rooms
    }

    private static func take(_ line: some Collection<UInt8>, _ rooms: inout SnapcastRooms) {
        if let message = SnapcastMessage.parse(line) { rooms.handle(message) }
    }

    /// The seconds for which this thread has had a processor.
    private static var work: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func client(_ id: String = "kitchen", percent: String = "50", latency: String = "0") -> String {
        """
        {"id":"\(id)","connected":true,"host":{"name":"\(id)","mac":"","ip":"","os":"","arch":""},\
        "config":{"name":"\(id)","latency":\(latency),"instance":1,"volume":{"percent":\(percent),"muted":false}}}
        """
    }

    private func group(_ clients: [String], name: String = "g") -> String {
        """
        {"id":"\(name)","name":"\(name)","muted":false,"stream_id":"\(name)",\
        "clients":[\(clients.joined(separator: ","))]}
        """
    }

    private func status(_ groups: [String]) -> String {
        #"{"id":1,"jsonrpc":"2.0","result":{"server":{"groups":[\#(groups.joined(separator: ","))],"streams":[]}}}"#
            + "\r\n"
    }

    private static let largest = "9223372036854775807"
    private static let smallest = "-9223372036854775808"

    @Test(
        "says a client's volume: a number is brought to what there is, all else is no client",
        arguments: [
            (largest, "100"), (smallest, "0"), ("1000000000000000000000000000000", "100"), ("1e308", "100"),
            ("-1", "0"), ("0.5", "0"), ("101", "100"), ("\"50\"", nil), ("null", nil), ("[]", nil), ("true", nil),
        ] as [(String, String?)])
    func volumes(said: String, shown: String?) {
        let rooms = hear(status([group((0..<4).map { client("c\($0)", percent: said) })])).rooms
        let all: [String?] = shown == nil ? [] : Array(repeating: shown, count: 4)
        #expect(rooms.prefix(4).map { $0.attributes["volume"] } == all)
    }

    @Test(
        "says a client's latency: a number is brought to what there is, all else is none",
        arguments: [
            (largest, "10000"), (smallest, "-10000"), ("1000000000000000000000000000000", "10000"), ("1e308", "10000"),
            ("0.5", "0"), ("10001", "10000"), ("\"50\"", nil), ("null", nil), ("[]", nil),
        ] as [(String, String?)])
    func latencies(said: String, shown: String?) {
        let rooms = hear(status([group(["a", "b"].map { client($0, latency: said) })])).rooms
        #expect(rooms.map { $0.attributes["latency"] } == [shown, shown, nil])
    }

    @Test(
        "says names: what clients are told of them is text on one line, and short",
        arguments: [
            #"a\nOK\noutputid: 0"#, #"\u001b[2J\u009b31m"#, #"a\u0000b"#, String(repeating: "x", count: 100_000), "",
            "e" + String(repeating: "\u{301}", count: 3000), "../../etc/passwd", #"\"\\\""#, "   ",
            String(repeating: "\u{1F3B5}", count: 90),
        ] as [String])
    func names(text: String) {
        let rooms = hear(status([group([client(text), client(text + "2")], name: text)])).rooms
        #expect(rooms.count == 3)
    }

    @Test("says half a character: that is no message")
    func surrogate() {
        #expect(hear(status([group([client(#"\ud800"#)])])).rooms.count <= 1)
    }

    @Test("has thousands of clients: the first 256 are outputs")
    func thousands() {
        let rooms = hear(status([group((0..<12_000).map { client("c\($0)") })]))
        #expect(rooms.clients.count == 256 && rooms.rooms.count == 257)
    }

    @Test("has one client forty times in each of hundreds of groups of the same name")
    func oneEverywhere() {
        let clients = Array(repeating: client(), count: 40)
        let rooms = hear(status(Array(repeating: group(clients), count: 200)), isUsed: false)
        #expect(rooms.clients.count == 256 && rooms.groups.count == 200)
    }

    @Test(
        "sends lines that are no messages of Snapcast's: they are passed over, and what follows them is heard",
        arguments: [
            "\u{FFFD}\0garbage", String(repeating: "[", count: 300_000) + String(repeating: "]", count: 300_000),
            String(repeating: #"{"a":"#, count: 200_000), "[1,2,3]", "null",
            #"{"id":99999999999999999999999,"jsonrpc":"2.0","result":{}}"#,
            #"{"id":-9223372036854775808,"jsonrpc":"2.0","result":"x"}"#, String(repeating: "\r\n", count: 100_000),
            #"{"id":"1","method":7,"params":[{}],"result":[]}"#, "\u{FEFF}{}",
            "[" + String(repeating: #"{"jsonrpc":"2.0","method":"Server.OnUpdate","params":{}},"#, count: 5000) + "{}]",
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
            #"{"jsonrpc":"2.0","method":"Client.OnVolumeChanged","params":{"id":"a"}}"#,
            #"{"jsonrpc":"2.0","method":"Client.OnVolumeChanged","params":{"volume":{"percent":1,"muted":true}}}"#,
        ])
    func lines(line: String) {
        let rooms = hear(line + "\r\n" + status([group([client("honest")])]))
        #expect(rooms.rooms.map(\.name) == ["honest"])
    }

    @Test("refuses with a long reason full of control characters: the log gets text on one line")
    func refusal() {
        let reason = #"\u001b[2J\n"# + String(repeating: "x", count: 100_000)
        let rooms = hear(#"{"id":1,"jsonrpc":"2.0","error":{"code":1,"message":"\#(reason)"}}"# + "\r\n")
        guard case .refused(let text) = rooms.inquiry else { return #expect(rooms.inquiry == .refused("")) }
        #expect(text.utf8.count <= 256 && text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test("tells the same news without end: nothing is kept of them, and nothing is asked for because of them")
    func news() {
        let update: String =
            #"{"jsonrpc":"2.0","method":"Server.OnUpdate","params":{"server":{"groups":["#
            + group([client("a", percent: "1"), client("b", percent: "99")]) + "]}}}\r\n"
        let volume =
            #"{"jsonrpc":"2.0","method":"Client.OnVolumeChanged","params":{"id":"a","volume":"#
            + #"{"percent":4611686018427387904,"muted":true}}}"# + "\r\n"
        var rooms = hear(String(repeating: update + volume, count: 200))
        #expect(rooms.clients.map(\.volume.percent) == [100, 99])
        #expect(rooms.takeRequests().isEmpty)
    }

    @Test("takes back every volume that is set at once: it is not set again by itself")
    func takingBack() {
        var rooms = hear(status([group([client("a")])]))
        rooms.setVolume("a", 40)
        var asked = 0
        for percent in 0..<100 {
            let requests = rooms.takeRequests()
            asked += requests.count
            let answer = #"{"id":\#(requests.last?.number ?? 0),"jsonrpc":"2.0","result":{}}"#
            let news =
                #"{"jsonrpc":"2.0","method":"Client.OnVolumeChanged","params":{"id":"a","volume":"#
                + #"{"percent":\#(percent),"muted":false}}}"#
            for line in [answer, news] { Self.take(Array(line.utf8), &rooms) }
        }
        #expect(asked == 1 && rooms.clients.map(\.volume.percent) == [99])
    }

    @Test("sends a line without an end: it is cut off at four mebibytes", arguments: [1448, 65_536])
    func endless(size: Int) {
        let began = Self.work
        var (buffer, taken) = (SnapcastLineBuffer(), 0)
        let piece = [UInt8](repeating: UInt8(ascii: "{"), count: size)
        while taken < 8 << 20, (try? buffer.add(piece)) != nil { taken += size }
        #expect(taken < (4 << 20) + size)
        // What was looked through once is not looked through again.
        #expect(Self.work - began < Self.maxWork)
    }

    @Test("drips a long line byte by byte: each of them is looked at once")
    func dripping() throws {
        let began = Self.work
        var buffer = SnapcastLineBuffer()
        for _ in 0..<200_000 { #expect(try buffer.add([UInt8(ascii: "x")]).isEmpty) }
        #expect(try buffer.add([10]).map(\.count) == [200_000])
        #expect(Self.work - began < Self.maxWork)
    }
}
