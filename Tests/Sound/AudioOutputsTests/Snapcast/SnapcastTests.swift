import Coordination
import Foundation
import Outputs
import SoundSamples
import Synchronization
import TestSupport
import Testing

@testable import AudioOutputs

@Suite struct SnapcastTests {
    /// What a server says about two clients in one group.
    private func status(
        muted: Bool = false, volume: Int = 100, latency: String = "0", names: [String] = ["Kitchen", ""],
        group: String = "", number: Int = 1
    ) -> SnapcastMessage {
        let clients = names.enumerated().map { number, name in
            """
            {"config":{"instance":1,"latency":\(latency),"name":"\(name)","volume":{"muted":false,"percent":\(volume)}},\
            "connected":true,"host":{"arch":"x86_64","ip":"127.0.0.1","mac":"","name":"pi","os":"Debian"},\
            "id":"client\(number)","lastSeen":{"sec":1,"usec":2},"snapclient":{"name":"Snapclient","protocolVersion":2}}
            """
        }
        return message(
            """
            {"id":\(number),"jsonrpc":"2.0","result":{"server":{"groups":[{"clients":[\(clients.joined(separator: ","))],\
            "id":"group","muted":\(muted),"name":"\(group)","stream_id":"Segue"}],"server":{},"streams":[]}}}
            """)
    }

    private func message(_ text: String) -> SnapcastMessage {
        let read = SnapcastMessage.parse(Array(text.utf8))
        #expect(read != nil, "\(text)")
        return read ?? SnapcastMessage()
    }

    private func volume(_ client: String, _ percent: Int, muted: Bool = false) -> SnapcastMessage {
        message(
            """
            {"jsonrpc":"2.0","method":"Client.OnVolumeChanged","params":{"id":"\(client)",\
            "volume":{"muted":\(muted),"percent":\(percent)}}}
            """)
    }

    /// What is to be sent; the server answers all of it.
    private func answered(_ rooms: inout SnapcastRooms) -> [SnapcastRequest] {
        let requests = rooms.takeRequests()
        if let last = requests.last { rooms.handle(answer(last.number)) }
        return requests.map(\.request)
    }

    private func answer(_ number: Int) -> SnapcastMessage {
        message(#"{"id":\#(number),"jsonrpc":"2.0","result":{}}"#)
    }

    @Test("clients are named as in Snapcast, by their host without a name of their own")
    func names() {
        var rooms = SnapcastRooms(stream: nil, choice: .clients)
        #expect(rooms.rooms.isEmpty)
        rooms.handle(status())
        #expect(rooms.rooms.map(\.name) == ["Kitchen", "pi"])
        #expect(rooms.rooms.map(\.isEnabled) == [true, true])
        #expect(
            rooms.rooms[0].attributes == ["volume": "100", "latency": "0", "connected": "1", "stream": "Segue"])
    }

    @Test("a client's latency is set alone, bounded, and asked for again, as the server takes no more than its buffer")
    func latency() {
        var rooms = SnapcastRooms(stream: nil)
        rooms.handle(status(latency: "20"))
        #expect(rooms.rooms.map { $0.attributes["latency"] } == ["20", "20", nil])
        for latency in [30, 40, -50] {
            let isTaken = rooms.setLatency("client0", latency)
            #expect(isTaken)
        }
        for other in ["group group", "nobody"] {
            let isTaken = rooms.setLatency(other, 10)
            #expect(!isTaken)
        }
        // News from before the request is not believed while it waits.
        rooms.handle(status(latency: "20"))
        #expect(rooms.rooms.map { $0.attributes["latency"] } == ["-50", "20", nil])
        let requests = answered(&rooms)
        #expect(requests == [.setLatency(client: "client0", -50), .status])
        #expect(
            String(decoding: requests[0].line(id: 1).dropLast(2), as: UTF8.self)
                == #"{"id":1,"jsonrpc":"2.0","method":"Client.SetLatency","params":{"id":"client0","latency":-50}}"#)
        rooms.handle(status(latency: "-1e300"))
        #expect(rooms.rooms[0].attributes["latency"] == "-10000")
        for nonsense in ["null", "\"5\"", "[]"] {
            rooms.handle(status(latency: nonsense))
            #expect(rooms.rooms.count == 3 && rooms.rooms[0].attributes["latency"] == nil)
        }
    }

    @Test("of many quick changes only the last is sent, and news that is older than it is not believed")
    func quickChanges() {
        var rooms = SnapcastRooms(stream: nil, choice: .clients)
        rooms.handle(status())
        for percent in [90, 70, 50] { rooms.setVolume("client0", percent) }
        rooms.handle(volume("client0", 80))
        rooms.handle(status(volume: 60))
        #expect(rooms.rooms.map { $0.attributes["volume"] } == ["50", "60"])
        #expect(
            answered(&rooms) == [
                .setVolume(client: "client0", SnapcastMessage.Volume(percent: 50, muted: false))
            ])
        rooms.handle(volume("client0", 20, muted: true))
        #expect(rooms.rooms[0].attributes["volume"] == "20")
        #expect(rooms.rooms[0].isEnabled == false)
    }

    @Test("what was set is not undone by what the server said before it took that in")
    func unanswered() {
        var rooms = SnapcastRooms(stream: "Other")
        rooms.handle(status())
        rooms.connected()
        rooms.setVolume("client0", 30)
        rooms.setEnabled("group group", false)
        _ = rooms.setLatency("client1", 40)
        let last = rooms.takeRequests().last?.number ?? 0
        func shown() -> [String?] {
            [rooms.rooms[0].attributes["volume"], rooms.rooms[1].attributes["latency"]]
                + [String(rooms.rooms[2].isEnabled)]
        }
        rooms.handle(volume("client0", 90))
        rooms.handle(status(number: 0))
        #expect(shown() == ["30", "40", "false"])
        // What came after the answers is news; so is all after the connection was lost.
        rooms.handle(answer(last))
        rooms.handle(status(volume: 50, latency: "5"))
        #expect(shown() == ["50", "5", "true"])
        rooms.setVolume("client0", 60)
        _ = rooms.takeRequests()
        rooms.lost()
        rooms.handle(status(volume: 70))
        #expect(shown().first == "70")
    }

    @Test("without the server the clients are disabled, and what is wished waits for it")
    func away() {
        var rooms = SnapcastRooms(stream: nil, choice: .clients)
        rooms.handle(status())
        rooms.lost()
        #expect(rooms.rooms.map(\.isEnabled) == [false, false])
        #expect(rooms.rooms.map { $0.attributes["connected"] } == ["0", "0"])
        rooms.setVolume("client1", 30)
        rooms.connected()
        #expect(
            answered(&rooms) == [
                .setVolume(client: "client1", SnapcastMessage.Volume(percent: 30, muted: false)), .status,
            ])
    }

    @Test("a client of a silent group is heard alone")
    func silentGroup() {
        var rooms = SnapcastRooms(stream: nil, choice: .clients)
        rooms.handle(status(muted: true))
        #expect(rooms.rooms.map(\.isEnabled) == [false, false])
        rooms.setEnabled("client1", true)
        #expect(rooms.rooms.map(\.isEnabled) == [false, true])
        #expect(answered(&rooms).contains(.setMute(group: "group", false)))
    }

    /// The group's volume and those of its clients.
    private func volumes(_ rooms: SnapcastRooms) -> [String?] { rooms.rooms.reversed().map { $0.attributes["volume"] } }

    @Test(
        "groups are outputs of their own where they are more than a client",
        arguments: SnapcastSettings.Rooms.allCases)
    func groups(choice: SnapcastSettings.Rooms) {
        var rooms = SnapcastRooms(stream: nil, choice: choice)
        rooms.handle(status())
        let (clients, group) = (["Kitchen", "pi"], ["Kitchen + pi"])
        #expect(rooms.rooms.map(\.name) == (choice == .all ? clients + group : choice == .groups ? group : clients))
        rooms.handle(status(names: ["Kitchen"]))
        #expect(rooms.rooms.map(\.name) == ["Kitchen"])
        rooms.handle(status(group: "Downstairs"))
        #expect(rooms.rooms.last?.name == (choice == .clients ? "pi" : "Downstairs"))
        guard choice != .clients else { return }
        #expect(
            rooms.rooms.last?.attributes { $0 == "client1" ? "pi (2)" : nil } == [
                "volume": "100", "connected": "1", "stream": "Segue", "clients": "Kitchen, pi (2)",
            ])
    }

    @Test("a group's volume is its clients' average and moves all of them, there and back")
    func groupVolume() {
        var rooms = SnapcastRooms(stream: nil)
        rooms.handle(status())
        rooms.handle(volume("client0", 80))
        rooms.handle(volume("client1", 40))
        #expect(volumes(rooms) == ["60", "40", "80"])
        for (wanted, first, second) in [
            (30, "40", "20"), (7, "9", "5"), (0, "0", "0"), (60, "80", "40"), (80, "90", "70"), (100, "100", "100"),
            (60, "80", "40"),
        ] {
            rooms.setVolume("group group", wanted)
            #expect(volumes(rooms) == ["\(wanted)", second, first])
        }
        // A balance that was changed elsewhere counts from then on.
        rooms.setVolume("group group", 0)
        _ = answered(&rooms)
        rooms.handle(volume("client0", 20))
        rooms.setVolume("group group", 40)
        #expect(volumes(rooms) == ["40", "33", "47"])
        #expect(
            answered(&rooms) == [
                .setVolume(client: "client0", SnapcastMessage.Volume(percent: 47, muted: false)),
                .setVolume(client: "client1", SnapcastMessage.Volume(percent: 33, muted: false)),
            ])
    }

    @Test("a group is silenced as a whole; one whose clients are all silent is heard again with all of them")
    func groupSilence() {
        var rooms = SnapcastRooms(stream: "Other")
        rooms.handle(status())
        rooms.setEnabled("group group", false)
        #expect(rooms.rooms.map(\.isEnabled) == [false, false, false])
        #expect(answered(&rooms) == [.setMute(group: "group", true)])
        // News from before the request is not believed while it waits.
        rooms.setEnabled("group group", true)
        rooms.handle(status(muted: true))
        #expect(rooms.rooms.map(\.isEnabled) == [true, true, true])
        #expect(answered(&rooms).first == .setMute(group: "group", false))
        rooms.handle(status())
        rooms.setEnabled("client0", false)
        #expect(rooms.rooms.map(\.isEnabled) == [false, true, true])
        rooms.setEnabled("client1", false)
        #expect(rooms.rooms.map(\.isEnabled) == [false, false, false])
        rooms.setEnabled("group group", true)
        #expect(rooms.rooms.map(\.isEnabled) == [true, true, true])
        #expect(answered(&rooms).contains(.setStream(group: "group", "Other")))
    }

    @Test("a client that is enabled is put to the stream, if one is named")
    func stream() {
        var rooms = SnapcastRooms(stream: "Other", choice: .clients)
        rooms.handle(status())
        rooms.setEnabled("client0", true)
        #expect(answered(&rooms).contains(.setStream(group: "group", "Other")))
        #expect(rooms.rooms.map { $0.attributes["stream"] } == ["Other", "Other"])
    }

    @Test("news about clients, groups and the server lets the state be asked for; other news does not")
    func news() {
        var rooms = SnapcastRooms(stream: nil)
        rooms.handle(message(#"{"jsonrpc":"2.0","method":"Client.OnConnect","params":{"id":"x","client":{}}}"#))
        #expect(answered(&rooms) == [.status])
        rooms.handle(message(#"{"jsonrpc":"2.0","method":"Stream.OnUpdate","params":{"id":"x","stream":{}}}"#))
        #expect(answered(&rooms).isEmpty)
    }

    private func refusal(_ number: String) -> SnapcastMessage {
        message(#"{"id":\#(number),"jsonrpc":"2.0","error":{"code":-32603,"message":"Client not found"}}"#)
    }

    /// The requests that are to be sent; the server has not answered yet.
    private func sent(_ rooms: inout SnapcastRooms) -> [SnapcastRequest] { rooms.takeRequests().map(\.request) }

    @Test("a refused change lets the state be asked for, once")
    func refusedChange() {
        var rooms = SnapcastRooms(stream: nil)
        rooms.handle(status())
        rooms.setVolume("client0", 30)
        _ = sent(&rooms)
        rooms.handle(refusal("1"))
        rooms.handle(refusal("1"))
        #expect(sent(&rooms) == [.status])
        // The state is on its way.
        rooms.handle(refusal("1"))
        #expect(sent(&rooms).isEmpty)
        #expect(rooms.inquiry == .sent(2))
        rooms.handle(status(number: 2))
        #expect(rooms.inquiry == .none)
        rooms.handle(refusal("3"))
        #expect(sent(&rooms) == [.status])
    }

    @Test("a server that refuses to tell its state is not asked again over that connection", arguments: ["1", "null"])
    func refusedState(number: String) {
        var rooms = SnapcastRooms(stream: nil)
        rooms.connected()
        #expect(sent(&rooms) == [.status])
        rooms.handle(refusal(number))
        #expect(sent(&rooms).isEmpty)
        #expect(rooms.inquiry == .refused("Client not found"))
        rooms.lost()
        rooms.connected()
        #expect(sent(&rooms) == [.status])
    }

    @Test("a server that refuses everything is left and tried again after pauses, with one warning")
    func refusingServer() async throws {
        let listener = try LocalListener()
        defer { withExtendedLifetime(listener) {} }
        // How many requests came over each connection.
        let asked = Mutex<[Int]>([])
        listener.accept { client in
            asked.withLock { $0.append(0) }
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(client, &bytes, bytes.count)
                guard count > 0 else { return }
                for _ in bytes[..<count].filter({ $0 == UInt8(ascii: "\n") }) {
                    let number = asked.withLock { counts in
                        counts[counts.count - 1] += 1
                        return counts.reduce(0, +)
                    }
                    let answer = #"{"id":\#(number),"error":{"code":-32601,"message":"Method not found"}}"# + "\n"
                    _ = send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
                }
            }
        }
        let log = LogLines()
        var settings = SnapcastSettings()
        settings.controlPort = Int(listener.port)
        let clock = VirtualEngineClock()
        let control = SnapcastControl(settings, name: "House", log: log.logger, clock: clock) {}
        try await eventually("a second attempt", within: .seconds(200)) {
            await clock.pass(.seconds(1))
            return asked.withLock { $0.count { $0 > 0 } } >= 2
        }
        control.close()
        let counts = asked.withLock { $0 }
        #expect(counts.allSatisfy { $0 <= 1 })
        let warnings = log.all.filter { $0.hasPrefix("warning") }
        #expect(warnings.count == 1 && warnings[0].contains("doesn't tell its state: Method not found"))
    }

    @Test("requests are JSON-RPC in a line")
    func requests() throws {
        let volume = SnapcastMessage.Volume(percent: 5, muted: true)
        let line = SnapcastRequest.setVolume(client: "a\"b", volume).line(id: 7)
        #expect(line.suffix(2) == [13, 10])
        let text = String(decoding: line.dropLast(2), as: UTF8.self)
        #expect(
            text
                == #"{"id":7,"jsonrpc":"2.0","method":"Client.SetVolume","params":{"id":"a\"b","volume":"#
                + #"{"muted":true,"percent":5}}}"#)
    }

    @Test("lines are found however they arrive", arguments: [1, 3, 100])
    func lines(size: Int) throws {
        let bytes = Array("one\r\n\r\ntwo\nthr".utf8)
        var buffer = SnapcastLineBuffer()
        var lines: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            lines += try buffer.add(Array(bytes[start..<min(start + size, bytes.count)]))
                .map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(lines == ["one", "two"])
        #expect(try buffer.add(Array("ee\n".utf8)).map { String(decoding: $0, as: UTF8.self) } == ["three"])
    }
}

@Suite struct SilenceFillerTests {
    private let second = Nanoseconds.seconds(1)

    @Test("silence begins soon after a pause, and late when sound is only missing")
    func begins() {
        var silence = SilenceFiller()
        silence.begin(at: .zero)
        silence.heard(second / 10, at: .zero)
        #expect(silence.missing(at: second / 2) == nil)
        silence.rest()
        #expect(silence.missing(at: second / 2) == second * 4 / 10)
        #expect(silence.missing(at: second / 2) == nil)
        silence.heard(second / 10, at: second)
        #expect(silence.missing(at: second * 2) == nil)
        #expect(silence.missing(at: second * 3) != nil)
    }

    @Test("silence goes on as time does, and sound ends it")
    func goesOn() {
        var silence = SilenceFiller()
        silence.begin(at: .zero)
        silence.rest()
        var sent = Nanoseconds.zero
        for tick in 1...100 { sent += silence.missing(at: second * tick / 10) ?? .zero }
        #expect(sent == .seconds(10))
        silence.heard(second / 10, at: .seconds(10))
        #expect(silence.missing(at: .seconds(10) + second / 5) == nil)
    }
}
