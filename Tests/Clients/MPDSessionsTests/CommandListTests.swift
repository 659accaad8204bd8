import MusicModel
import NIOCore
import ServerLoop
import TestSupport
import Testing

@testable import MPDSessions

extension ServerTests {
    @Suite("Command lists")
    struct CommandListTests {
        @Test("a list is answered as one")
        func plain() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                let before = await BurnCommand.count
                let lines = "echo 1\nwait\nburn\necho 2\n"
                try await client.send("command_list_begin\n" + lines)
                try await server.waitForLists(lines.utf8.count)
                #expect(await BurnCommand.count == before, "nothing runs before the end")
                #expect(
                    try await client.ask("command_list_end")
                        == ["argument: 1", "waited: 1", "argument: 2", "OK"])
                #expect(await BurnCommand.count == before + 1)
                #expect(try await client.ask("command_list_begin\ncommand_list_end") == ["OK"])
            }
        }

        @Test("a list with list_OK says where each answer ends")
        func withOK() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                #expect(
                    try await client.ask("command_list_ok_begin\necho 1\nping\ncommand_list_end")
                        == ["argument: 1", "list_OK", "list_OK", "OK"])
            }
        }

        @Test("an error stops the list and says where")
        func errors() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                #expect(
                    try await client.ask("command_list_ok_begin\nping\nfail\nping\ncommand_list_end")
                        == ["list_OK", "ACK [50@1] {fail} No such song"])
                #expect(
                    try await client.ask("command_list_begin\nping\nping\nfoo\ncommand_list_end")
                        == ["ACK [5@2] {} unknown command \"foo\""])
                #expect(
                    try await client.ask("command_list_begin\nping\necho \"\ncommand_list_end")
                        == ["ACK [5@1] {} Missing closing '\"'"])
                #expect(try await client.ask("ping") == ["OK"])
            }
        }

        @Test("a list inside a list is an unknown command when its turn comes")
        func nested() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                #expect(
                    try await client.ask("command_list_begin\nping\ncommand_list_begin\nping\ncommand_list_end")
                        == ["ACK [5@1] {} unknown command \"command_list_begin\""])
                #expect(
                    try await client.ask("command_list_end") == ["ACK [5@0] {} unknown command \"command_list_end\""])
            }
        }

        @Test("close inside a list delivers what came before it")
        func close() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                try await client.send("command_list_ok_begin\necho 1\nclose\necho 2\ncommand_list_end\n")
                #expect(try await client.line() == "argument: 1")
                #expect(try await client.line() == "list_OK")
                #expect(try await client.line() == nil)
            }
        }

        @Test("idle with arguments inside a list idles and discards the rest")
        func idle() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                try await client.send("command_list_begin\necho 1\nidle player\necho 2\ncommand_list_end\n")
                #expect(try await client.line() == "argument: 1")
                try await server.waitForIdle()
                await server.hub.notify(.player, partition: nil)
                #expect(try await client.answer() == ["changed: player", "OK"])
                #expect(try await client.ask("ping") == ["OK"])
            }
        }

        @Test("a list may be as large as its limit and no larger")
        func limit() async throws {
            try await TestServer.with(change: { $0.commandListLimit = 1000 }) { server in
                let client = try await TestClient.greeted(server.address)
                // 200 lines of "ping" with their line feeds are exactly 1000 bytes.
                let fitting = "command_list_begin\n" + String(repeating: "ping\n", count: 200)
                #expect(try await client.ask(fitting + "command_list_end") == ["OK"])
                // With another letter the same list has a byte too many.
                try await client.send("command_list_begin\npings\n" + fitting.dropFirst(24) + "command_list_end\n")
                #expect(try await client.line() == nil)
            }
        }

        @Test("the lists of all clients together have a limit, which those that end make room in")
        func togetherLimit() async throws {
            try await TestServer.with(change: { $0.commandListLimit = 1000 }) { server in
                // Eight lists fit; the last byte of each limit is left for it.
                let text = "command_list_begin\n" + String(repeating: "ping\n", count: 199)
                var clients: [TestClient] = []
                for _ in 0..<8 {
                    let client = try await TestClient.greeted(server.address)
                    try await client.send(text)
                    clients.append(client)
                }
                try await server.waitForLists(8 * 995)
                let late = try await TestClient.greeted(server.address)
                try await late.send(text)
                #expect(try await late.line() == nil)
                #expect(try await clients[0].ask("command_list_end") == ["OK"])
                try await clients[1].close()
                try await server.waitForClients(7)
                #expect(await server.server.listMemory == 6 * 995)
                let next = try await TestClient.greeted(server.address)
                #expect(try await next.ask(text + "command_list_end") == ["OK"])
            }
        }

        @Test("a client that may do nothing yet has room for its password and no more")
        func withoutPermission() async throws {
            try await TestServer.with(change: { $0.access.defaultPermission = [] }) { server in
                let client = try await TestClient.greeted(server.address)
                #expect(
                    try await client.ask("command_list_begin\nunlock x\nsecret a\ncommand_list_end") == ["OK"])
                let other = try await TestClient.greeted(server.address)
                try await other.send("command_list_begin\n" + String(repeating: "ping\n", count: 4000))
                #expect(try await other.line() == nil)
            }
        }

        @Test(
            "a client that keeps the loop busy keeps no other waiting until it is done",
            arguments: [("command_list_begin\n", "command_list_end\n"), ("", "")])
        func longWork(begin: String, end: String) async throws {
            try await TestServer.with { server in
                let busy = try await TestClient.greeted(server.address)
                let other = try await TestClient.greeted(server.address)
                // Twenty seconds, so that no other program can keep this one from asking meanwhile.
                try await BurnCommand.whileBurning { before in
                    busy.post(ByteBuffer(string: begin + String(repeating: "burn\n", count: 20_000) + end))
                    try await eventually("work") { await BurnCommand.count > before }
                    #expect(try await other.ask("ping") == ["OK"])
                    #expect(await BurnCommand.count - before < 20_000)
                }
                if begin.isEmpty { for _ in 1..<20_000 { _ = try await busy.answer() } }
                #expect(try await busy.answer() == ["OK"])
            }
        }

        @Test("many clients that keep the loop busy keep no other waiting either", arguments: [true, false])
        func longWorkOfMany(isList: Bool) async throws {
            try await TestServer.with { server in
                var busy: [TestClient] = []
                for _ in 0..<40 { busy.append(try await TestClient.greeted(server.address)) }
                let other = try await TestClient.greeted(server.address)
                let lines = String(repeating: "burn\n", count: 2_000)
                let text = isList ? "command_list_begin\n\(lines)command_list_end\n" : lines
                try await BurnCommand.whileBurning { before in
                    for client in busy { client.post(ByteBuffer(string: text)) }
                    try await eventually("work of several") { await BurnCommand.count >= before + 50 }
                    for _ in 0..<5 {
                        let start = await BurnCommand.count
                        #expect(try await other.ask("ping") == ["OK"])
                        // Of 80,000; a slice of 5 ms would be fewer, but others may take the processor meanwhile.
                        #expect(await BurnCommand.count - start < 20_000)
                    }
                }
                for client in busy { try await client.close() }
            }
        }

        @Test("two MiB of commands pass with the standard limit")
        func large() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                // 2,048 lines of 1,024 bytes with their line feeds.
                let lines = String(repeating: "echo \(String(repeating: "x", count: 1018))\n", count: 2048)
                try await client.send("command_list_begin\n" + lines + "command_list_end\n")
                #expect(try await client.answer().count == 2049)
                try await client.send("command_list_begin\n" + lines + "ping\n")
                #expect(try await client.line() == nil)
            }
        }
    }
}
