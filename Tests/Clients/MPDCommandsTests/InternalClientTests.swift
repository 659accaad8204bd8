import MPDCommands
import MPDProtocol
import MusicModel
import ServerLoop
import Testing

@ServerActor
@Suite("Commands of Segue's own parts")
struct InternalClientTests {
    @Test("an answer is told line by line, and a refusal as a client would get it")
    func answers() async throws {
        let desk = try await Desk()
        let client = InternalClient(desk.context)
        let lines = try await client.run(["addid", "http://radio.example/one"], in: desk.client.partition)
        #expect(lines.map(\.key) == ["Id"])
        await #expect(throws: AckError(.noExist, "No such playlist")) {
            try await client.run(["load", "missing"], in: desk.client.partition)
        }
        await #expect(throws: AckError.self) { try await client.run([], in: desk.client.partition) }
        await #expect(throws: AckError.self) { try await client.run(["brew"], in: desk.client.partition) }
        try desk.close()
    }

    @Test("an address is played behind the current song, and the rest of the queue stays")
    func playing() async throws {
        let desk = try await Desk()
        let client = InternalClient(desk.context)
        for name in ["one", "two"] { _ = await desk.ask("add http://radio.example/\(name)") }
        try await client.play("http://radio.example/first", in: desk.client.partition)
        #expect(await desk.ask("playlist").map { $0.suffix(5) } == ["e/one", "e/two", "first", "OK"])
        _ = await desk.ask("play 0")
        try await client.play("http://radio.example/next", in: desk.client.partition)
        #expect(await desk.ask("playlist").map { $0.suffix(5) } == ["e/one", "/next", "e/two", "first", "OK"])
        #expect(await desk.ask("status").contains("song: 1"))
        try desk.close()
    }
}
