import TestSupport
import Testing

@testable import HomeAutomation

@Suite("The connection to a home's broker", .enabled(if: testsEverything))
struct BrokerTests {
    @Test("A broker that lets us in and throws us out is tried after growing pauses, one that lasted at once")
    func pauses() {
        var pauses = BrokerPauses()
        var found: [Duration] = []
        for _ in 1...9 { found.append(pauses.next(after: .milliseconds(20))) }
        #expect(found == [1, 2, 4, 8, 16, 32, 64, 120, 120].map { .seconds($0) })
        found = [.seconds(3_600), .zero, .seconds(60)].map { pauses.next(after: $0) }
        #expect(found == [.seconds(1), .seconds(2), .seconds(1)])
    }

    @Test("A broker that refuses the newer version is asked by the older one at once, and one that hangs up later")
    func dialects() {
        for code: Int32 in [132, 1] {
            var dialect = BrokerDialect()
            #expect(!dialect.answered(code) && dialect.isRefused)
            #expect(dialect.ended() && !dialect.isNew && !dialect.isRefused)
            // One that refuses both is in no hurry, and is told.
            #expect(dialect.answered(code) && !dialect.ended())
            #expect(dialect.isNew)
        }
        var dialect = BrokerDialect()
        #expect(!dialect.ended() && !dialect.isNew)
        #expect(dialect.answered(0) && !dialect.ended() && !dialect.isNew, "what works stays")
        #expect(dialect.answered(5) && !dialect.ended() && dialect.isNew, "a wrong password is told")
    }

    @Test("A broker that comes and goes is a line a minute")
    func notices() {
        var notices = BrokerNotices()
        let start = ContinuousClock.now
        var troubles = 0
        var connections = 0
        for second in 0..<300 {
            if notices.isConnectionWorthSaying() { connections += 1 }
            if notices.isWorthSaying(troubleAt: start + .seconds(second)) { troubles += 1 }
        }
        #expect(troubles == 5)
        // The first, and one after each trouble that was told.
        #expect(connections == 6)
    }

    @Test("An outage soon after another one is told when it lasts, and its end as well")
    func lateNotice() {
        var notices = BrokerNotices()
        let start = ContinuousClock.now
        var said = [notices.isWorthSaying(troubleAt: start), notices.isConnectionWorthSaying()]
        for second in [10, 20, 70, 80] { said.append(notices.isWorthSaying(troubleAt: start + .seconds(second))) }
        said += [notices.isConnectionWorthSaying(), notices.isConnectionWorthSaying()]
        #expect(said == [true, true, false, false, true, false, true, false])
    }

    @Test("Of messages that are not taken in time some are discarded, but no news of the connection")
    func crowd() async {
        let events = BrokerEvents()
        for number in 1...300 { events.add(.message(topic: "a", text: String(number))) }
        events.add(.lost("gone"))
        events.add(.connected)
        var found: [BrokerEvents.Event] = []
        for await event in events.stream {
            events.taken()
            found.append(event)
            if event == .connected { break }
        }
        #expect(found.first == .message(topic: "a", text: "1"))
        #expect(found.suffix(2) == [.lost("gone"), .connected])
        #expect(found.count == 258)
        // There is room again.
        events.add(.message(topic: "a", text: "later"))
        events.finish()
        var rest: [BrokerEvents.Event] = []
        for await event in events.stream { rest.append(event) }
        #expect(rest == [.message(topic: "a", text: "later")])
    }

    private static func settings(_ topic: String) -> BrokerSettings {
        BrokerSettings(host: "broker", topic: topic, discovery: "")
    }

    @Test("The name at the broker is this installation's, and stays the same")
    func clientID() {
        let settings = Self.settings("segue")
        let machine = "0123456789abcdef0123456789abcdef\n"
        let id = settings.clientID(host: "attic", machine: machine)
        #expect(id == "segue-segue-attic-01234567")
        #expect(settings.clientID(host: "attic", machine: "fedcba98") != id)
        #expect(settings.clientID(host: "cellar", machine: machine) != id)
        #expect(Self.settings("other").clientID(host: "attic", machine: machine) != id)
        #expect(settings.clientID(host: "at/tic", machine: "") == "segue-segue-at_tic")
        #expect(settings.clientID == settings.clientID)
    }

    @Test("Only the partition's own topics steer it, byte for byte")
    func keys() {
        func key(_ topic: String, of partition: String = "default") -> String? {
            HomeDevice(settings: Self.settings("caf\u{E9}"), partition: partition, version: "1.0").key(of: topic)
        }
        #expect(key("caf\u{E9}/default/set/volume") == "volume")
        #expect(key("caf\u{E9}/default/set/volume", of: "garden") == nil)
        // The same characters, but not the same topic.
        #expect(key("cafe\u{301}/default/set/volume") == nil)
        #expect(key("caf\u{E9}/default/set" + String(repeating: "\u{301}", count: 100)) == nil)
        #expect(key("caf\u{E9}/default/set/\u{301}volume") == "\u{301}volume")
    }
}
