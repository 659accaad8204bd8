import MPDProtocol
import MusicModel
import ServerLoop
import Testing
import UserLibrary

@testable import MPDCommands

@Suite("status, stats and idle")
struct StatusTests {
    @Test("stats counts the library and never says that the server has just started")
    func stats() async throws {
        let desk = try await Desk()
        await ServerActor.run { desk.partitions.playtime = .milliseconds(61_500) }
        let answer = await desk.ask("stats")
        let uptime = Int(answer[0].dropFirst("uptime: ".count))
        #expect(answer[0].hasPrefix("uptime: ") && (1...60).contains(uptime ?? 0))
        #expect(answer[1] == "playtime: 62")
        #expect(answer.dropFirst(2).prefix(4) == ["artists: 3", "albums: 4", "songs: 8", "db_playtime: 82"])
        #expect(answer.count == 8 && answer[6].hasPrefix("db_update: ") && answer[6] != "db_update: 0")
        try await desk.close()
    }

    @Test("A running update and an error are shown where MPD shows them")
    func updating() async throws {
        let desk = try await Desk()
        #expect(await desk.ask("update") == ["updating_db: 1", "OK"])
        #expect(await desk.ask("rescan \"Bob\"") == ["updating_db: 2", "OK"])
        #expect(await desk.ask("update \"/\"") == ["updating_db: 3", "OK"])
        #expect(desk.updating.requests == ["update ", "rescan Bob", "update "])
        #expect(await desk.ask("update full") == ["ACK [54@0] {update} Update queue is full"])
        #expect(await desk.ask("rescan full") == ["ACK [54@0] {rescan} Update queue is full"])
        desk.updating.setRunning(7)
        #expect(await desk.ask("status").suffix(2) == ["updating_db: 7", "OK"])
        try await desk.close()
    }

    @Test("Trouble with the server is shown until it ends or is cleared, and clients hear of it")
    func serverProblem() async throws {
        let desk = try await Desk()
        let sentence = "Navidrome at http://127.0.0.1:4533 can't be reached"
        #expect(await desk.ask("status").contains { $0.hasPrefix("error: ") } == false)
        await ServerActor.run { desk.context.setServerProblem(sentence) }
        #expect(await desk.ask("status").contains("error: \(sentence)"))
        await ServerActor.run { desk.context.setServerProblem(nil) }
        #expect(await desk.ask("status").contains { $0.hasPrefix("error: ") } == false)
        await ServerActor.run { desk.context.setServerProblem(sentence) }
        #expect(await desk.ask("clearerror") == ["OK"])
        #expect(await desk.ask("status").contains { $0.hasPrefix("error: ") } == false)
        try await desk.close()
    }

    @Test("What to do without a source of songs is shown while the queue is empty, and not as an error of what plays")
    func missingSource() async throws {
        let desk = try await Desk()
        await desk.reassemble { _, facts in facts.missingSourceAdvice = "run `segue login`" }
        #expect(await desk.ask("status").contains("error: run `segue login`"))
        #expect(await desk.ask("add http://127.0.0.1:9/stream") == ["OK"])
        #expect(await desk.ask("status").contains { $0.hasPrefix("error: ") } == false)
        try await desk.close()
    }

    @Test("MixRamp's delay is shown while it is on")
    func mixRamp() async throws {
        let desk = try await Desk()
        _ = await desk.ask("mixrampdelay 2.5")
        #expect(await desk.ask("status").contains("mixrampdelay: 2.5"))
        _ = await desk.ask("mixrampdelay nan")
        #expect(await desk.ask("status").contains { $0.hasPrefix("mixrampdelay") } == false)
        try await desk.close()
    }

    @Test("Elapsed time, whole and with its fraction, belongs to the playing song")
    func elapsed() async throws {
        let desk = try await Desk()
        _ = await desk.ask("add \"Anna Ärger/Blau/02 - Meer.flac\"")
        _ = await desk.ask("seek 0 5.5")
        let wanted = ["time: 6:11", "elapsed: 5.500", "bitrate: 158", "duration: 10.500", "audio: 44100:16:2"]
        #expect(await poll { await desk.ask("status").filter { line in wanted.contains(line) } == wanted })
        for (place, elapsed) in [("2", "2.000"), ("+1.5", "3.500"), ("-1", "2.500"), ("4", "4.000")] {
            #expect(await desk.ask("seekcur \(place)") == ["OK"])
            #expect(await poll { await desk.ask("status").contains("elapsed: \(elapsed)") }, "\(place)")
        }
        try await desk.close()
    }

    @Test("idle knows the subsystems in any case")
    func idle() throws {
        func subsystems(_ words: String...) throws -> Subsystem? {
            if case .idle(let found) = try Command.idle.action(words, permission: .read) { found } else { nil }
        }
        #expect(try subsystems() == .everything)
        #expect(try subsystems("PLAYER", "mixer") == [.player, .mixer])
    }

    @Test("Changes of stored playlists reach every client, those that change nothing reach none")
    func events() async throws {
        let desk = try await Desk()
        _ = await desk.ask("add root.flac")
        #expect(await desk.takeEvents() == .queue)
        _ = await desk.ask("save mine")
        #expect(await desk.takeEvents() == .storedPlaylist)
        _ = await desk.ask("playlistmove mine 0 0")
        _ = await desk.ask("searchaddpl other title nobody")
        _ = await desk.ask("rm other")
        _ = await desk.ask("setvol 100")
        _ = await desk.ask("delete 1")
        #expect(await desk.takeEvents() == [])
        try await desk.close()
    }
}

/// Asks again and again until `condition` holds; false when it doesn't within 30 seconds.
func poll(_ condition: () async -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
        if await condition() { return true }
        await Task.yield()
    }
    return false
}
