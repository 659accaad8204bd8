import MPDProtocol
import MPDSessions
import NIOCore
import ServerLoop
import Testing

extension ServerTests {
    @Suite("Sessions")
    struct SessionTests {
        @Test("a client is greeted and its commands are answered in order")
        func commands() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                #expect(try await client.ask("ping") == ["OK"])
                #expect(try await client.ask("echo \"a b\"  c ") == ["argument: a b", "argument: c", "OK"])
                try await client.send("ping\necho 1\nwait\necho 2\r\nfail\nping\n")
                for expected in [
                    ["OK"], ["argument: 1", "OK"], ["waited: 1", "OK"], ["argument: 2", "OK"],
                    ["ACK [50@0] {fail} No such song"], ["OK"],
                ] {
                    #expect(try await client.answer() == expected)
                }
            }
        }

        @Test(
            "a command that isn't run is refused in MPD's words and the connection stays",
            arguments: [
                ("foo", "ACK [5@0] {} unknown command \"foo\""),
                ("ping x", "ACK [2@0] {ping} wrong number of arguments for \"ping\""),
                ("unlock", "ACK [2@0] {unlock} wrong number of arguments for \"unlock\""),
                ("touch", "ACK [2@0] {touch} too few arguments for \"touch\""),
                ("touch 1 2 3 4 5 6 7 8 9 0", "ACK [2@0] {touch} too many arguments for \"touch\""),
                ("secret", "ACK [4@0] {secret} you don't have permission for \"secret\""),
                ("pour x", "ACK [2@0] {pour} Integer expected: x"),
                ("echo \"x", "ACK [5@0] {} Missing closing '\"'"),
                ("echo x\"y\"", "ACK [5@0] {} Invalid unquoted character"),
                ("idle foo", "ACK [2@0] {idle} Unrecognized idle event: foo"),
                ("noidle x", "ACK [5@0] {} unknown command \"noidle\""),
                ("command_list_end", "ACK [5@0] {} unknown command \"command_list_end\""),
            ])
        func refusals(line: String, answer: String) async throws {
            try await TestServer.with(change: { $0.access.defaultPermission = .read }) { server in
                let client = try await TestClient.greeted(server.address)
                #expect(try await client.ask(line) == [answer])
                #expect(try await client.ask("ping") == ["OK"])
            }
        }

        @Test("a permission that was given holds from then on")
        func permissions() async throws {
            try await TestServer.with(change: { $0.access.defaultPermission = [] }) { server in
                let client = try await TestClient.greeted(server.address)
                #expect(try await client.ask("idle") == ["ACK [4@0] {idle} you don't have permission for \"idle\""])
                #expect(
                    try await client.ask("secret 1") == ["ACK [4@0] {secret} you don't have permission for \"secret\""])
                #expect(try await client.ask("unlock please") == ["OK"])
                #expect(try await client.ask("secret 1") == ["OK"])
            }
        }

        @Test(
            "these end the connection without a word",
            arguments: [
                "\n", " ping\n", "\r\n", "GET / HTTP/1.1\n", "Ping\n", "1\n", "\0\n", "close\n", "\u{E9}\n",
                "command_list_begin\nidle\n", "command_list_begin\nnoidle\n", "command_list_begin\n\n",
                "idle\nping\n", "idle\nidle\n", "command_list_ok_begin\nPING\n",
            ])
        func silentEnds(text: String) async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                try await client.send(text)
                #expect(try await client.line() == nil)
                try await server.waitForClients(0)
            }
        }

        @Test(
            "who speaks another protocol is told so before the connection ends",
            arguments: ["ping!", "foo-bar", "foo\u{E9}"])
        func wrongWords(line: String) async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                try await client.send(line + "\nping\n")
                #expect(try await client.line() == "ACK [5@0] {} Invalid word character")
                #expect(try await client.line() == nil)
            }
        }

        @Test("NUL ends a line and invalid UTF-8 is repaired")
        func oddBytes() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                #expect(try await client.ask("ping\0 and more") == ["OK"])
                try await client.send(Array("echo a".utf8) + [0xFF, 0xFE] + Array("b\n".utf8))
                #expect(try await client.answer() == ["argument: a\u{FFFD}\u{FFFD}b", "OK"])
            }
        }

        @Test("a line may arrive byte by byte")
        func slowLine() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                for byte in Array("echo \"x y\"\n".utf8) { try await client.send([byte]) }
                #expect(try await client.answer() == ["argument: x y", "OK"])
            }
        }

        @Test("a line of 16,382 bytes is taken and one that is longer ends the connection")
        func lineLimit() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                let longest = "echo " + String(repeating: "x", count: 16_377)
                let answer = try await client.ask(longest)
                #expect(answer.count == 2)
                #expect(answer.first?.utf8.count == 4094)
                try await client.send(longest + "xy\n")
                #expect(try await client.line() == nil)
                let other = try await TestClient.greeted(server.address)
                try await other.send(String(repeating: "x", count: 70_000))
                #expect(try await other.line() == nil)
            }
        }

        @Test("who sends no more still gets the answers")
        func halfClose() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                try await client.send("wait\necho 1\nwait\n")
                try await client.endOutput()
                #expect(try await client.answer() == ["waited: 1", "OK"])
                #expect(try await client.answer() == ["argument: 1", "OK"])
                #expect(try await client.answer() == ["waited: 1", "OK"])
                #expect(try await client.line() == nil)
                try await server.waitForClients(0)
            }
        }

        @Test("close delivers what came before it")
        func close() async throws {
            try await TestServer.with { server in
                let client = try await TestClient.greeted(server.address)
                try await client.send("pour 20000\nclose\nping\n")
                let answer = try await client.answer()
                #expect(answer.count == 20_001)
                #expect(try await client.line() == nil)
            }
        }

        @Test("random bytes never bring the server down", arguments: 0..<4)
        func randomBytes(seed: UInt64) async throws {
            try await TestServer.with { server in
                var random = seed
                for _ in 0..<10 {
                    let client = try await TestClient.greeted(server.address)
                    let bytes = (0..<2000).map { _ in
                        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        return UInt8(truncatingIfNeeded: random >> 33)
                    }
                    let text = Array("command_list_begin\nidle player\nnoidle\necho ".utf8)
                    try? await client.send(seed.isMultiple(of: 2) ? bytes : text + bytes)
                    try? await client.close()
                }
                let client = try await TestClient.greeted(server.address)
                #expect(try await client.ask("ping") == ["OK"])
            }
        }
    }
}

extension TestServer {
    /// Runs `body` against a server with other options on a port of its own.
    nonisolated static func with(
        change: (inout MPDServerOptions) -> Void, _ body: (TestServer) async throws -> Void
    ) async throws {
        try await with([.tcp(host: "127.0.0.1", port: 0)], change, body)
    }
}
