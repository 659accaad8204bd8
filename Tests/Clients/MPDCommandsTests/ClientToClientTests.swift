import MPDCommands
import MusicModel
import ServerLoop
import Testing

@Suite("Messages between clients")
struct ClientToClientTests {
    @Test("Subscribers of a channel get a message, and the first unread one wakes them")
    func delivery() async throws {
        let desk = try await Desk()
        let (one, two) = await (desk.newClient(), desk.newClient())
        let woken = Wakes()
        await ServerActor.run { one.deliver = { woken.events.append($0) } }
        _ = await desk.ask("subscribe talk", as: one)
        _ = await desk.ask("subscribe other", as: two)
        #expect(await desk.takeEvents() == .subscription)
        #expect(await desk.ask("sendmessage talk hello", as: two) == ["OK"])
        #expect(await desk.ask("sendmessage talk again", as: two) == ["OK"])
        #expect(await ServerActor.run { woken.events } == [.message])
        #expect(await desk.ask("readmessages", as: two) == ["OK"])
        #expect(
            await desk.ask("readmessages", as: one) == [
                "channel: talk", "message: hello", "channel: talk", "message: again", "OK",
            ])
        #expect(await desk.ask("channels") == ["channel: other", "channel: talk", "OK"])
        try await desk.close()
    }

    @Test("A client that is gone is subscribed to nothing")
    func gone() async throws {
        let desk = try await Desk()
        do {
            let client = await desk.newClient()
            _ = await desk.ask("subscribe talk", as: client)
        }
        #expect(await desk.ask("channels") == ["OK"])
        #expect(
            await desk.ask("sendmessage talk x") == [
                "ACK [50@0] {sendmessage} nobody is subscribed to this channel"
            ])
        try await desk.close()
    }

    @Test("16 subscriptions and 64 unread messages are the limit")
    func limits() async throws {
        let desk = try await Desk()
        for number in 1...16 { #expect(await desk.ask("subscribe c\(number)") == ["OK"]) }
        #expect(await desk.ask("subscribe c17") == ["ACK [56@0] {subscribe} subscription list is full"])
        for _ in 1...64 { #expect(await desk.ask("sendmessage c1 x") == ["OK"]) }
        #expect(await desk.ask("sendmessage c1 x") == ["ACK [50@0] {sendmessage} nobody is subscribed to this channel"])
        #expect(await desk.ask("readmessages").count == 129)
        try await desk.close()
    }

    @Test("The unread messages of all clients together have a limit, which those that are read or gone leave")
    func total() async throws {
        let desk = try await Desk()
        let text = String(repeating: "x", count: 16_000)
        let full = ["ACK [50@0] {sendmessage} nobody is subscribed to this channel"]
        let one = await desk.newClient()
        var others: [ClientState] = []
        for _ in 1...8 { others.append(await desk.newClient()) }
        #expect(await desk.ask("subscribe one", as: one) == ["OK"])
        for (number, client) in others.enumerated() { _ = await desk.ask("subscribe c\(number)", as: client) }
        var taken = 0
        for number in 0..<8 {
            for _ in 1...64 where await desk.ask("sendmessage c\(number) \(text)") == ["OK"] { taken += 1 }
        }
        #expect(taken == 512)
        for _ in 1...64 where await desk.ask("sendmessage one \(text)") == ["OK"] { taken += 1 }
        #expect(taken == (8 << 20) / 16_066)
        #expect(await desk.ask("sendmessage one \(text)", as: one) == full)
        #expect(await desk.ask("readmessages", as: others[0]).count == 129)
        #expect(await desk.ask("sendmessage one \(text)", as: one) == ["OK"])
        others = []
        for _ in 1...20 { #expect(await desk.ask("sendmessage one \(text)", as: one) == ["OK"]) }
        try await desk.close()
    }

    @Test("The name of a channel has at most 256 characters")
    func names() async throws {
        let desk = try await Desk()
        let longest = String(repeating: "n", count: 256)
        #expect(await desk.ask("subscribe \(longest)") == ["OK"])
        for command in ["subscribe", "sendmessage"] {
            let words = command == "sendmessage" ? "\(longest)n x" : "\(longest)n"
            #expect(
                await desk.ask("\(command) \(words)")
                    == ["ACK [2@0] {\(command)} channel names may have 256 characters"])
        }
        try await desk.close()
    }

    @ServerActor
    private final class Wakes {
        nonisolated init() {}
        var events: [Subsystem] = []
    }
}
