import NIOCore
import ServerLoop
import TestSupport
import Testing

@testable import MPDSessions

extension ServerTests {
    @Suite("Limits")
    struct LimitTests {
        @Test("a client that never reads keeps no other waiting")
        func neverReads() async throws {
            try await TestServer.with { server in
                let deaf = try await TestClient(server.address, reading: false)
                try await deaf.send("pour 4000000\n")
                let other = try await TestClient.greeted(server.address)
                for number in 0..<20 {
                    #expect(try await other.ask("echo \(number)") == ["argument: \(number)", "OK"])
                }
                #expect(await server.clientCount == 2)
                try await deaf.close()
                try await server.waitForClients(1)
            }
        }

        @Test("a client that never reads goes when its time is up")
        func neverReadsAtAll() async throws {
            try await TestServer.with(change: { $0.timeout = .seconds(2) }) { server in
                let deaf = try await TestClient(server.address, reading: false)
                try await deaf.send("pour 4000000\n")
                try await server.waitForClients(0)
                _ = deaf
            }
        }

        @Test("a long answer arrives whole at a client that reads late")
        func readsLate() async throws {
            try await TestServer.with { server in
                let client = try await TestClient(server.address, reading: false)
                try await client.send("pour 50000\necho end\n")
                let other = try await TestClient.greeted(server.address)
                #expect(try await other.ask("ping") == ["OK"])
                try await client.startReading()
                #expect(try await client.line() == "OK MPD 0.24.0")
                let answer = try await client.answer()
                #expect(answer.count == 50_001)
                #expect(answer[49_999].hasPrefix("line: 100049999"))
                #expect(try await client.answer() == ["argument: end", "OK"])
            }
        }

        @Test("a client that closes its side before it reads gets a long answer whole", arguments: [9000, 50_000])
        func closesAndReadsLate(lines: Int) async throws {
            try await TestServer.with { server in
                let client = try await TestClient(server.address, reading: false)
                try await client.send("ping\npour \(lines)\nping\n")
                try await client.endOutput()
                let other = try await TestClient.greeted(server.address)
                #expect(try await other.ask("ping") == ["OK"])
                try await client.startReading()
                #expect(try await client.line() == "OK MPD 0.24.0")
                #expect(try await client.answer() == ["OK"])
                #expect(try await client.answer().count == lines + 1)
                #expect(try await client.answer() == ["OK"])
                #expect(try await client.line() == nil)
            }
        }

        @Test("a flood of commands is worked off without being piled up")
        func flood() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                client.post(ByteBuffer(string: String(repeating: "wait\nping\n", count: 20)))
                client.post(ByteBuffer(string: String(repeating: "ping\n", count: 100_000)))
                for _ in 0..<20 {
                    #expect(try await client.answer() == ["waited: 1", "OK"])
                    #expect(try await client.answer() == ["OK"])
                }
                for _ in 0..<100_000 { guard try await client.line() == "OK" else { Issue.record("no OK"); break } }
            }
        }

        @Test("half a command and silence end the connection, idle does not")
        func silence() async throws {
            try await TestServer.with(change: { $0.timeout = .seconds(3600) }) { server in
                let idle = try await TestClient.greeted(server.address)
                try await idle.send("idle\n")
                try await server.waitForIdle()
                let half = try await TestClient.greeted(server.address)
                try await half.send("pin")
                let list = try await TestClient.greeted(server.address)
                try await list.send("command_list_begin\nping\n")
                try await server.waitForLists(5)
                let hour = TimeAmount.seconds(3600)
                await server.server.closeSilent(after: hour, at: .now() + .seconds(3000))
                #expect(await server.clientCount == 3)
                await server.server.closeSilent(after: hour, at: .now() + .seconds(3601))
                #expect(try await half.line() == nil)
                #expect(try await list.line() == nil)
                #expect(try await idle.ask("noidle") == ["OK"])
            }
        }

        @Test("a client that is silent for too long is found by itself")
        func timeout() async throws {
            try await TestServer.with(change: { $0.timeout = .milliseconds(20) }) { server in
                let client = try await TestClient(server.address)
                while let line = try await client.line() { #expect(line == "OK MPD 0.24.0") }
            }
        }

        @Test("one client too many is turned away without a greeting, until another goes")
        func maximumConnections() async throws {
            try await TestServer.with(change: { $0.maximumConnections = 2 }) { server in
                let first = try await TestClient.greeted(server.address)
                let second = try await TestClient.greeted(server.address)
                let third = try await TestClient(server.address)
                #expect(try await third.line() == nil)
                #expect(try await second.ask("ping") == ["OK"])
                try await first.close()
                try await server.waitForClients(1)
                let fourth = try await TestClient.greeted(server.address)
                #expect(try await fourth.ask("ping") == ["OK"])
            }
        }

        @Test("a command that only answers ends when its client has closed its side and doesn't come back for it")
        func clientGoes() async throws {
            try await TestServer.with(change: { $0.halfClosedTimeout = .milliseconds(50) }) { server in
                let client = try await TestClient.greeted(server.address)
                try await client.send("hang\n")
                try await eventually("the command") { await HangCommand.waiting > 0 }
                try await client.close()
                try await eventually("its end") { await HangCommand.waiting == 0 }
                try await server.waitForClients(0)
            }
        }

        @Test("shutting down closes every client")
        func shutDown() async throws {
            try await TestServer.with { server in
                let waiting = try await TestClient.greeted(server.address)
                try await waiting.send("idle\n")
                let busy = try await TestClient.greeted(server.address)
                await server.server.shutDown()
                #expect(try await waiting.line() == nil)
                #expect(try await busy.line() == nil)
                #expect(await server.clientCount == 0)
                await #expect(throws: (any Error).self) { _ = try await TestClient(server.address) }
            }
        }
    }
}
