import MusicModel
import ServerLoop
import Testing

@testable import MPDCommands

@Suite("Commands of our own for playing")
@ServerActor
struct OwnPlaybackTests {
    @Test("speed is set, told, and refused outside of its bounds")
    func speed() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("speed") == ["speed: 1", "OK"])
        #expect(await desk.ask("speed 1.25") == ["OK"])
        #expect(await desk.ask("speed") == ["speed: 1.25", "OK"])
        #expect(await desk.ask("status").contains("speed: 1.25"))
        #expect(await desk.ask("speed 3.1") == ["ACK [2@0] {speed} Number from 0.5 to 3 expected: 3.1"])
        #expect(await desk.ask("speed fast") == ["ACK [2@0] {speed} Float expected: fast"])
        #expect(await desk.ask("speed 1") == ["OK"])
        #expect(await !desk.ask("status").contains { $0.hasPrefix("speed") })
    }

    @Test("the sleep timer is set in minutes, told in seconds, and switched off by 0")
    func sleepTimer() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("sleeptimer") == ["OK"])
        #expect(await desk.ask("sleeptimer 30") == ["OK"])
        let told = try #require(await desk.ask("status").first { $0.hasPrefix("sleep: ") })
        let seconds = try #require(Double(told.dropFirst("sleep: ".count)))
        #expect((1_770...1_800).contains(seconds))
        #expect(await desk.ask("sleeptimer 0") == ["OK"])
        #expect(await !desk.ask("status").contains { $0.hasPrefix("sleep") })
        #expect(await desk.ask("sleeptimer 1441") == ["ACK [2@0] {sleeptimer} Number from 0 to 1440 expected: 1441"])
        #expect(await desk.ask("sleeptimer nan").first?.hasPrefix("ACK [2@0]") == true)
    }

    @Test("clients that know only MPD's commands send them to the channel segue")
    func channel() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("sendmessage segue \"speed 1.5\"") == ["OK"])
        #expect(await desk.ask("speed") == ["speed: 1.5", "OK"])
        #expect(await desk.ask("sendmessage segue \"sleeptimer 10\"") == ["OK"])
        #expect(await desk.ask("status").contains { $0.hasPrefix("sleep: ") })
        #expect(
            await desk.ask("sendmessage segue \"speed 9\"")
                == ["ACK [2@0] {sendmessage} Number from 0.5 to 3 expected: 9"])
        #expect(
            await desk.ask("sendmessage segue speed") == ["ACK [2@0] {sendmessage} too few arguments for \"speed\""])
        let refusal = "ACK [50@0] {sendmessage} nobody is subscribed to this channel"
        #expect(await desk.ask("sendmessage segue \"kill 1\"") == [refusal])
        #expect(await desk.ask("sendmessage other \"speed 1\"") == [refusal])
    }
}
