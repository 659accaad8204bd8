import MPDSessions
import MusicModel
import NIOCore
import ServerLoop
import Testing

extension ServerTests {
    @Suite("idle")
    struct IdleTests {
        @Test("a waiting client hears of a change once, in the table's order")
        func wakes() async throws {
            try await TestServer.with { server in
                let (waiting, acting) = (
                    try await TestClient.greeted(server.address), try await TestClient.greeted(server.address)
                )
                try await waiting.send("idle\n")
                try await server.waitForIdle()
                #expect(try await acting.ask("touch options player playlist") == ["OK"])
                #expect(
                    try await waiting.answer() == ["changed: playlist", "changed: player", "changed: options", "OK"])
                #expect(try await waiting.ask("idle\nnoidle") == ["OK"])
            }
        }

        @Test("changes of one turn come in one answer", arguments: [true, false])
        func coalesces(ofPartition: Bool) async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                try await client.send("idle\n")
                try await server.waitForIdle()
                await ServerActor.run {
                    let partition = ofPartition ? server.partition : nil
                    server.hub.notify(.mixer, partition: partition)
                    server.hub.notify(.player, partition: partition)
                }
                #expect(try await client.answer() == ["changed: player", "changed: mixer", "OK"])
            }
        }

        @Test("what happens between two idles is kept, one's own changes too")
        func keeps() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                #expect(try await client.ask("touch mixer") == ["OK"])
                #expect(try await client.ask("touch database sticker") == ["OK"])
                #expect(try await client.ask("ping") == ["OK"])
                #expect(
                    try await client.ask("idle") == ["changed: database", "changed: mixer", "changed: sticker", "OK"])
                #expect(try await client.ask("idle\nnoidle") == ["OK"])
            }
        }

        @Test("a mask lets through what it names and keeps the rest for later")
        func mask() async throws {
            try await TestServer.with { server in
                let (client, acting) = (
                    try await TestClient.greeted(server.address), try await TestClient.greeted(server.address)
                )
                try await client.send("idle PLAYER mixer\n")
                try await server.waitForIdle()
                await server.hub.notify(.options, partition: nil)
                #expect(try await acting.ask("ping") == ["OK"])
                await server.hub.notify(.player, partition: nil)
                #expect(try await client.answer() == ["changed: player", "OK"])
                #expect(try await client.ask("idle options database") == ["changed: options", "OK"])
            }
        }

        @Test("noidle ends waiting with OK and is nothing otherwise")
        func noidle() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                #expect(try await client.ask("idle\nnoidle") == ["OK"])
                #expect(try await client.ask("noidle\nnoidle\necho 1") == ["argument: 1", "OK"])
                try await client.send("idle\n")
                try await server.waitForIdle()
                #expect(try await client.ask("noidle") == ["OK"])
                #expect(try await client.ask("idle\nnoidle\nping") == ["OK"])
                #expect(try await client.answer() == ["OK"])
            }
        }

        @Test("a change of another partition is none of ours")
        func partitions() async throws {
            try await TestServer.with { server in
                let (away, acting) = (
                    try await TestClient.greeted(server.address), try await TestClient.greeted(server.address)
                )
                #expect(try await away.ask("leave") == ["OK"])
                #expect(
                    try await away.ask("idle") == [
                        "changed: playlist", "changed: player", "changed: mixer", "changed: output", "changed: options",
                        "OK",
                    ])
                try await away.send("idle\n")
                try await server.waitForIdle()
                #expect(try await acting.ask("touch player") == ["OK"])
                #expect(try await acting.ask("touch database") == ["OK"])
                #expect(try await away.answer() == ["changed: database", "OK"])
            }
        }

        @Test("an answer that is still being written comes before the change")
        func order() async throws {
            try await TestServer.with { server in
                let client = try await TestClient(server.address, reading: false)
                try await client.send("pour 100000\nidle\n")
                try await server.waitForClients(1)
                for _ in 0..<5 { await server.hub.notify(.player, partition: nil) }
                try await client.startReading()
                #expect(try await client.line() == "OK MPD 0.24.0")
                let answer = try await client.answer()
                #expect(answer.count == 100_001)
                #expect(try await client.answer() == ["changed: player", "OK"])
            }
        }

        @Test("two hundred waiting clients are woken, and none twice")
        func crowd() async throws {
            try DescriptorLimit.raise(to: 4096)
            try await TestServer.with(change: { $0.maximumConnections = 300 }) { server in
                var clients: [TestClient] = []
                for _ in 0..<200 {
                    let client = try await TestClient.greeted(server.address)
                    try await client.send("idle\n")
                    clients.append(client)
                }
                let acting = try await TestClient.greeted(server.address)
                #expect(try await acting.ask("ping") == ["OK"])
                try await server.waitForIdle(200)
                #expect(try await acting.ask("touch player") == ["OK"])
                for client in clients { #expect(try await client.answer() == ["changed: player", "OK"]) }
                for client in clients { #expect(try await client.ask("ping") == ["OK"]) }
                #expect(await server.clientCount == 201)
            }
        }
    }
}

extension ServerActor {
    /// Runs several steps in one turn of the loop.
    static func run(_ body: @ServerActor @Sendable () -> Void) async { await body() }
}
