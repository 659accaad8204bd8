import MusicModel
import Synchronization
import TestSupport
import Testing

@testable import Subsonic

@Suite("Faults of the server")
struct FaultTests {
    @Test(
        "each fault has its own error",
        arguments: [
            (.down, .unreachable), (.http500, .server(status: 500)), (.wrongCredentials, .unauthorized),
            (.garbage, .badAnswer), (.html, .badAnswer), (.rateLimited(retryAfter: nil), .rateLimited),
            (.cut(after: 100), .unreachable),
        ] as [(FakeFault.Mode, SubsonicError.Code)])
    func codes(mode: FakeFault.Mode, code: SubsonicError.Code) async throws {
        try await withServer(retries: 0) { server, client in
            _ = try await client.ping()
            try await server.setFaults(FakeFault(mode))
            let error = await failure { _ = try await client.songs(offset: 0, count: 30) }
            // A connection that breaks inside an answer shows as the one or the other.
            let mayBeUnreadable = mode == .cut(after: 100) && error?.code == .badAnswer
            #expect(error?.code == code || mayBeUnreadable)
            try await server.setFaults()
            #expect(try await client.songs(offset: 0, count: 30).items.count == 30)
        }
    }

    @Test("an answer that doesn't come in time has its own error")
    func timedOut() async throws {
        try await withServer(retries: 0, patience: .milliseconds(50)) { server, client in
            try await server.setFaults(FakeFault(.held))
            let error = await failure { _ = try await client.songs(offset: 0, count: 30) }
            #expect(error?.code == .timedOut)
        }
    }

    @Test("the log says why a server can't be used, down to the status or to what the connection said, and no secret")
    func causes() async throws {
        try await withServer(retries: 0) { server, client in
            _ = try await client.ping()
            var chains: [String] = []
            for mode in [FakeFault.Mode.http500, .garbage, .refuse] {
                try await server.setFaults(FakeFault(mode))
                let error = await failure { _ = try await client.songs(offset: 0, count: 30) }
                chains.append("\(chain: try #require(error))")
            }
            #expect(chains[0].contains("HTTP 500") && chains[0].contains("[Subsonic/"))
            #expect(chains[1].contains("can't be read: ") && chains[1].contains("[Subsonic/"))
            #expect(chains[2].contains(" <- "))
            for chain in chains { #expect(!chain.contains("&t=") && !chain.contains("?u=")) }
        }
    }

    @Test("a closed port is unreachable, and the same client recovers when it is open again")
    func refused() async throws {
        try await withServer(retries: 0) { server, client in
            _ = try await client.ping()
            try await server.setFaults(FakeFault(.refuse))
            let error = await failure { _ = try await client.ping() }
            #expect(error?.code == .unreachable && error?.isTransient == true)
            try await server.setFaults()
            _ = try await client.ping()
        }
    }

    @Test(
        "what passes is tried again, with pauses",
        arguments: [FakeFault.Mode.down, .http500, .garbage, .html, .rateLimited(retryAfter: 0)])
    func retried(mode: FakeFault.Mode) async throws {
        try await withServer { server, client in
            _ = try await client.ping()
            server.forgetRequests()
            try await server.setFaults(FakeFault(mode, match: "search3", count: 2))
            #expect(try await client.songs(offset: 0, count: 5).items.count == 5)
            #expect(server.requests.count == 3)
        }
    }

    @Test("retries end")
    func retriesEnd() async throws {
        try await withServer { server, client in
            try await server.setFaults(FakeFault(.http500))
            let error = await failure { _ = try await client.ping() }
            #expect(error?.code == .server(status: 500))
            #expect(server.requests.count == 3)
        }
    }

    @Test("the pause doubles, is never beyond the limit, and respects what the server asks for")
    func pauses() {
        let retries = SubsonicSettings.Retries(count: 5, firstDelay: .milliseconds(100), maxDelay: .seconds(2))
        for _ in 0..<50 {
            #expect((.milliseconds(75) ... .milliseconds(125)).contains(retries.pause(beforeRepetition: 0, asked: nil)))
            #expect(
                (.milliseconds(300) ... .milliseconds(500)).contains(retries.pause(beforeRepetition: 2, asked: nil)))
        }
        #expect(retries.pause(beforeRepetition: 0, asked: .seconds(1)) == .seconds(1))
        #expect(retries.pause(beforeRepetition: 0, asked: .seconds(60)) == .seconds(2))
        #expect(retries.pause(beforeRepetition: 500, asked: nil) == .seconds(2))
    }

    @Test(
        "a call over a connection of an address that the machine lost is made anew at once, others wait for theirs",
        .timeLimit(.minutes(1)))
    func lostAddress() async throws {
        // One that waited for its time-out would wait for the test's end.
        try await withServer(patience: .seconds(3600)) { server, client in
            _ = try await client.ping()
            #expect(client.closeConnections(notFrom: ["127.0.0.1", "::1"]) == 0)
            server.forgetRequests()
            try await server.setFaults(FakeFault(.held, match: "search3", count: 1))
            async let songs = client.songs(offset: 0, count: 5)
            try await eventually("the call") { server.requests.count == 1 }
            #expect(client.closeConnections(notFrom: ["192.0.2.7", "127.0.0.1"]) == 0)
            #expect(client.closeConnections(notFrom: ["192.0.2.7"]) == 1)
            #expect(try await songs.items.count == 5)
            #expect(server.requests.count == 2)
        }
    }

    @Test("Retry-After is read")
    func retryAfter() async throws {
        try await withServer(retries: 0) { server, client in
            try await server.setFaults(FakeFault(.rateLimited(retryAfter: 7)))
            let error = await failure { _ = try await client.ping() }
            #expect(error?.retryAfter == .seconds(7))
        }
    }

    @Test("no server can have us wait for longer than an hour", arguments: [Int.max, .max - 1, 3601, -1, .min])
    func longRetryAfter(seconds: Int) async throws {
        try await withServer(retries: 0) { server, client in
            try await server.setFaults(FakeFault(.rateLimited(retryAfter: seconds)))
            let error = await failure { _ = try await client.ping() }
            #expect(error?.retryAfter == (seconds < 0 ? .zero : .seconds(3600)))
        }
    }

    @Test("a task that waits for the server hears of its return once, from whichever call is answered first")
    func whenBack() async throws {
        try await withServer(retries: 0) { server, client in
            let returns = Mutex(0)
            client.reachability.whenBack { returns.withLock { $0 += 1 } }
            _ = try await client.ping()
            #expect(returns.withLock(\.self) == 0)
            try await server.setFaults(FakeFault(.down))
            _ = await failure { _ = try await client.ping() }
            _ = await failure { _ = try await client.scanStatus() }
            try await server.setFaults()
            _ = try await client.song(id: "unknown")
            _ = try await client.ping()
            #expect(returns.withLock(\.self) == 1)
        }
    }

    @Test("a server that answers calls with errors counts as away once a ping fails, and its return is told")
    func failingPing() async throws {
        try await withServer(retries: 0) { server, client in
            let returns = Mutex(0)
            client.reachability.whenBack { returns.withLock { $0 += 1 } }
            try await server.setFaults(FakeFault(.http500))
            _ = await failure { _ = try await client.scanStatus() }
            try await server.setFaults()
            _ = try await client.ping()
            #expect(returns.withLock(\.self) == 0)
            try await server.setFaults(FakeFault(.http500))
            _ = await failure { _ = try await client.ping() }
            try await server.setFaults()
            _ = try await client.ping()
            #expect(returns.withLock(\.self) == 1)
        }
    }

    @Test("the first thing that waits for the server has it looked for, and others after it don't")
    func whenAwaited() async throws {
        try await withServer(retries: 0) { _, client in
            let looks = Mutex(0)
            client.reachability.whenAwaited { looks.withLock { $0 += 1 } }
            client.reachability.note("plays", waits: true)
            client.reachability.note("edits", waits: true)
            client.reachability.note("plays", waits: true)
            #expect(client.reachability.isAwaited && looks.withLock(\.self) == 1)
            client.reachability.note("plays", waits: false)
            client.reachability.note("edits", waits: false)
            #expect(!client.reachability.isAwaited)
            client.reachability.note("edits", waits: true)
            #expect(looks.withLock(\.self) == 2)
        }
    }

    @Test("a slow server is only slow")
    func slow() async throws {
        try await withServer(songs: 5) { server, client in
            try await server.setFaults(FakeFault(.slow(bytesPerSecond: 20_000)))
            #expect(try await client.songs(offset: 0, count: 5).items.count == 5)
        }
    }

    @Test("errors in XML are understood, as servers send them for requests they can't read")
    func xml() async throws {
        try await withServer(retries: 0) { server, client in
            let body =
                #"<?xml version="1.0"?><subsonic-response xmlns="http://subsonic.org/restapi" status="failed" version="1.16.1"><error code="50" message="not &quot;you&quot;"></error></subsonic-response>"#
            server.setAnswer(of: "ping", Array(body.utf8))
            let error = await failure { _ = try await client.ping() }
            #expect(error?.code == .notPermitted)
        }
    }

    @Test(
        "answers of the wrong shape are bad answers",
        arguments: [
            "[]", "{}", "null", "\"ok\"", "{\"subsonic-response\":{}}", "{\"subsonic-response\":[]}", "",
            "{\"subsonic-response\":{\"status\":\"ok\"}} x",
        ])
    func shapes(body: String) async throws {
        try await withServer(retries: 0) { server, client in
            server.setAnswer(of: "ping", Array(body.utf8))
            let error = await failure { _ = try await client.ping() }
            #expect(error?.code == .badAnswer)
        }
    }

    @Test("large answers come packed and are unpacked")
    func gzip() async throws {
        try await withServer(songs: 300) { server, client in
            let page = try await client.songs(offset: 0, count: 300)
            #expect(page.items.count == 300)
            #expect(server.requests.last?.headers["accept-encoding"] == "gzip")
        }
    }

    @Test("many pictures at once are all had in the end")
    func pictures() async throws {
        var options = FakeOptions()
        options.maximumPictures = 2
        options.pictureMilliseconds = 5
        let server = try await FakeNavidrome.start(songs: 20, options: options)
        var settings = settings(server)
        settings.retries = .init(count: 50, firstDelay: .milliseconds(5), maxDelay: .milliseconds(50))
        try await withClient(settings) { client in
            let ids = server.songs.map(\.coverArt)
            let pictures = try await withThrowingTaskGroup(of: CoverPicture?.self) { group in
                for id in ids { group.addTask { try await client.coverArt(id: id, size: 60) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(pictures.count == 20 && pictures.allSatisfy { $0?.contentType == "image/png" })
            #expect(server.requests.count > 20)
        }
        await server.stop()
    }
}
