import Foundation
import LibraryIndex
import MusicModel
@testable import Subsonic
import Synchronization
import TestSupport
import Testing
import UserLibrary

@testable import Sync

@Suite("Scrobbling")
struct ScrobblerTests {
    @Test("a play is told at its start and submitted once, with the time of its start")
    func once() async throws {
        let bench = try await ScrobbleBench()
        bench.start()
        bench.hear(3)
        try await eventually("the submission") { bench.submitted == [3] }
        try await eventually("what plays now") { bench.server.scrobbles.contains { !$0.isSubmission } }
        try await bench.drained()
        #expect(bench.server.scrobbles.first { $0.isSubmission }?.time == 1_000_003)
        #expect(bench.server.song(bench.server.songs[3].id)?.playCount == 1)
        try await bench.stop()
    }

    @Test("a skip, a local song and a switched-off scrobbler submit nothing; repeat counts each play")
    func ignored() async throws {
        let bench = try await ScrobbleBench()
        bench.start(ScrobbleSettings(isEnabled: false))
        bench.hear(1)
        await bench.end()
        bench.start()
        bench.hear(bench.songs[2], at: 1, seconds: 30)
        bench.hear(bench.ownSong, at: 1, seconds: 420)
        bench.hear(5)
        bench.hear(5)
        try await eventually("both plays") { bench.submitted.count == 2 }
        try await bench.drained()
        #expect(bench.submitted == [5, 5])
        #expect(!bench.server.scrobbles.contains { $0.id == bench.server.songs[1].id })
        try await bench.stop()
    }

    @Test("plays wait through an outage and a restart, and arrive once each, in order")
    func outage() async throws {
        let bench = try await ScrobbleBench()
        try await bench.server.setFaults(FakeFault(.down))
        bench.start()
        for place in 0..<12 { bench.hear(place) }
        try await bench.waits(12)
        // As after kill -9: what was not answered is still there.
        await bench.end()
        bench.start()
        for place in 12..<25 { bench.hear(place) }
        try await bench.waits(25)
        #expect(bench.submitted.isEmpty)
        try await bench.server.setFaults()
        try await bench.drained()
        #expect(bench.submitted == Array(0..<25))
        #expect(bench.lines.all.filter { $0.contains("plays wait") }.count <= 2)
        try await bench.stop()
    }

    @Test("pauses grow from five seconds to five minutes, and end when the server is back")
    func pauses() async throws {
        let bench = try await ScrobbleBench()
        try await bench.server.setFaults(FakeFault(.down))
        try await bench.library.enqueuePlay(song: bench.songs[7], startedAt: 1)
        let scrobbler = bench.start()
        for seconds in [5, 10, 20, 40, 80, 160, 300, 300] {
            #expect(try await bench.clock.passPause() == .seconds(seconds))
        }
        try await eventually("the next pause") { bench.clock.sleeperCount == 1 }
        try await bench.server.setFaults()
        scrobbler.retryNow()
        try await eventually("the play") { bench.submitted == [7] }
        try await bench.stop()
    }

    @Test(
        "plays wait while the server refuses us, answers nonsense or asks for patience",
        arguments: [.wrongCredentials, .html, .rateLimited(retryAfter: nil), .http500] as [FakeFault.Mode])
    func trouble(mode: FakeFault.Mode) async throws {
        let bench = try await ScrobbleBench()
        try await bench.server.setFaults(FakeFault(mode, match: "scrobble"))
        bench.start()
        for place in 0..<4 { bench.hear(place) }
        try await bench.waits(4)
        for _ in 1...6 { #expect(try await bench.clock.passPause() >= .seconds(5)) }
        #expect(try await bench.library.waitingPlays(limit: 10).count == 4)
        try await bench.server.setFaults()
        try await bench.drained()
        // A server that fails for long is tried with single plays, which may overtake each other.
        #expect(mode == .http500 ? bench.submitted.sorted() == [0, 1, 2, 3] : bench.submitted == [0, 1, 2, 3])
        try await bench.stop()
    }

    @Test(
        "a play that the server does not take holds up no other",
        arguments: [.notFound, .refused(code: 0), .server(status: 500)] as [SubsonicError.Code])
    func poisonedPlay(code: SubsonicError.Code) async throws {
        let bench = try await ScrobbleBench()
        for place in 0..<5 { try await bench.library.enqueuePlay(song: bench.songs[place], startedAt: Int64(place)) }
        let taken = Mutex<[Int64]>([])
        let isPoisoned = Mutex(true)
        bench.start { plays in
            if plays.contains(where: { $0.time == 1 }), isPoisoned.withLock({ $0 }) {
                throw SubsonicError(code, "not this one")
            }
            taken.withLock { $0 += plays.map(\.time) }
        }
        try await bench.clock.passPauses(until: "the others") { taken.withLock { $0 == [0, 2, 3, 4] } }
        if code == .notFound {
            try await bench.drained()
            #expect(bench.lines.all.contains { $0.contains("discarding") && $0.contains("not this one") })
        } else {
            try await bench.waits(1)
            #expect(try await bench.library.waitingPlays(limit: 9).map(\.startedAt) == [1])
            isPoisoned.withLock { $0 = false }
            try await bench.drained()
            #expect(taken.withLock { $0 } == [0, 2, 3, 4, 1])
        }
        try await bench.stop()
    }

    @Test("a play that is refused again and again while others are taken is given up")
    func hopelessPlay() async throws {
        let bench = try await ScrobbleBench()
        let taken = Mutex<[Int64]>([])
        try await bench.library.enqueuePlay(song: bench.songs[0], startedAt: 0)
        bench.start { plays in
            if plays.contains(where: { $0.time == 0 }) { throw SubsonicError(.refused(code: 0), "never") }
            taken.withLock { $0 += plays.map(\.time) }
        }
        for time in 1...5 {
            try await bench.library.enqueuePlay(song: bench.songs[time], startedAt: Int64(time))
            try await bench.clock.passPauses(until: "play \(time)") { taken.withLock { $0.contains(Int64(time)) } }
        }
        try await bench.drained()
        #expect(taken.withLock { $0 } == [1, 2, 3, 4, 5])
        try await bench.stop()
    }

    @Test("the end of what plays is told where the server takes that, and is no second count")
    func playbackReports() async throws {
        let bench = try await ScrobbleBench()
        bench.start()
        bench.hear(3)
        try await eventually("the end") { !bench.server.playbackReports.isEmpty }
        try await bench.drained()
        let report = try #require(bench.server.playbackReports.first)
        #expect(report.id == bench.server.songs[3].id && report.state == "stopped")
        #expect(report.isIgnored && report.position == 0)
        #expect(bench.server.song(report.id)?.playCount == 1)
        try await bench.stop()
    }

    @Test("pauses and places are told where the server takes that")
    func pausesAndPlaces() async throws {
        let bench = try await ScrobbleBench()
        bench.start()
        bench.pauses(3, at: [.milliseconds(61_500), .seconds(62)])
        try await eventually("both") { bench.server.playbackReports.count >= 2 }
        let id = bench.server.songs[3].id
        #expect(bench.server.playbackReports.allSatisfy { $0.id == id && $0.isIgnored })
        #expect(bench.server.playbackReports.map(\.state) == ["paused", "playing"])
        #expect(bench.server.playbackReports.map(\.position) == [61_500, 62_000])
        try await bench.stop()
    }

    @Test("what plays in each partition is told by a client of its own")
    func rooms() async throws {
        let bench = try await ScrobbleBench()
        bench.start()
        for (partition, place) in [(1, 3), (2, 4), (1, 5)] { bench.pauses(place, at: [.seconds(1)], in: partition) }
        try await eventually("all pauses") { bench.server.playbackReports.count == 3 }
        let told = bench.server.requests.filter { ["scrobble", "reportPlayback"].contains($0.call) }
        let name = bench.client.clientName
        #expect(told.map { $0["c"] } == [name, name, name + "-2", name + "-2", name, name])
        #expect(told.map { $0["id"] ?? $0["mediaId"] } == [3, 3, 4, 4, 5, 5].map { bench.server.songs[$0].id })
        try await bench.stop()
    }

    @Test("a server without reports of playback gets none")
    func noPlaybackReports() async throws {
        var options = FakeOptions()
        options.kind = .supysonic
        let bench = try await ScrobbleBench(options)
        bench.start()
        bench.pauses(2, at: [.seconds(1)])
        bench.hear(3)
        bench.hear(4)
        try await eventually("both plays") { bench.submitted == [3, 4] }
        try await eventually("the question") { bench.server.requests.contains { $0.call.contains("Extensions") } }
        await bench.end()
        #expect(!bench.server.requests.contains { $0.call == "reportPlayback" })
        try await bench.stop()
    }

    @Test("hundreds of plays go in batches, one after the other, in order and with pauses between them")
    func manyPlays() async throws {
        let bench = try await ScrobbleBench()
        for number in 0..<400 {
            try await bench.library.enqueuePlay(song: bench.songs[number % 100], startedAt: Int64(number) * 1000)
        }
        bench.start(ScrobbleSettings(batchSize: 50))
        for _ in 1...8 { #expect(try await bench.clock.passPause() == .milliseconds(100)) }
        try await bench.drained()
        let times = bench.server.scrobbles.filter(\.isSubmission).map(\.time)
        #expect(times == (0..<400).map { Int64($0) * 1000 })
        #expect(bench.server.requests.filter { $0.path.hasPrefix("/rest/scrobble") }.count == 8)
        try await bench.stop()
    }

    @Test("a play that was counted and can't be deleted is not sent again")
    func undeletable() async throws {
        let bench = try await ScrobbleBench()
        let rule = "BEFORE DELETE ON play BEGIN SELECT RAISE(ABORT, 'it stays'); END"
        try await bench.library.database.write { try SQLStatement($0, "CREATE TRIGGER stays \(rule)").run() }
        bench.start()
        bench.hear(1)
        try await bench.clock.passPauses(until: "another attempt") {
            bench.submitted.count > 1 || bench.lines.all.contains { $0.contains("the outbox of plays can't be read") }
        }
        try await bench.library.database.write { try SQLStatement($0, "DROP TRIGGER stays").run() }
        bench.hear(2)
        try await bench.drained()
        #expect(bench.submitted == [1, 2])
        try await bench.stop()
    }

    @Test("what is playing is not worth a retry")
    func nowPlaying() async throws {
        let bench = try await ScrobbleBench()
        try await bench.server.setFaults(FakeFault(.http500, match: "scrobble", count: 1))
        bench.start()
        bench.hear(bench.songs[2], at: 1, seconds: 1)
        try await eventually("the failed note") {
            bench.lines.all.contains { $0.contains("can't tell the server what is playing") }
        }
        bench.hear(4)
        try await eventually("the other play") { bench.submitted == [4] }
        #expect(!bench.server.scrobbles.contains { $0.id == bench.server.songs[2].id })
        try await bench.stop()
    }

    @Test(
        "a play whose answer is lost is counted once, alone and among others",
        arguments: [FakeFault.Mode.garbage, .cut(after: 0), .cut(after: 20)])
    func lostAnswer(mode: FakeFault.Mode) async throws {
        let bench = try await ScrobbleBench()
        try await bench.server.setFaults(FakeFault(mode, match: "scrobble", count: 3))
        bench.start()
        bench.hear(bench.songs[1], at: 5_000_000, seconds: 420)
        bench.hear(bench.songs[2], at: 6_000_000, seconds: 420)
        bench.hear(bench.songs[1], at: 7_000_000, seconds: 420)
        try await bench.clock.passPauses(until: "the plays") { bench.submitted.count >= 3 }
        try await bench.drained()
        #expect(bench.submitted.sorted() == [1, 1, 2])
        #expect(bench.server.song(bench.server.songs[1].id)?.playCount == 2)
        try await bench.stop()
    }

    @Test("a play that the server counted just before the program died is not sent by the next run")
    func lostAnswerAndRestart() async throws {
        let bench = try await ScrobbleBench()
        try await bench.library.enqueuePlay(song: bench.songs[4], startedAt: 9_000_000)
        try await bench.library.enqueuePlay(song: bench.songs[4], startedAt: 9_900_000)
        try await bench.client.scrobble([SubsonicPlay(id: bench.server.songs[4].id, time: 9_000_000)])
        bench.start()
        try await bench.drained()
        #expect(bench.server.scrobbles.filter(\.isSubmission).map(\.time) == [9_000_000, 9_900_000])
        try await bench.stop()
    }

    @Test(
        "a play in doubt, behind which another one of its song was counted, is looked up in the list of plays that the server keeps",
        arguments: [true, false])
    func listOfPlays(hasList: Bool) async throws {
        var options = FakeOptions()
        options.listsPlays = hasList
        let bench = try await ScrobbleBench(options)
        let id = bench.server.songs[4].id
        for time: Int64 in [9_000_700, 9_900_000] {
            try await bench.library.enqueuePlay(song: bench.songs[4], startedAt: time)
        }
        // Ours reached the server, and then one of a phone's that began later.
        try await bench.client.scrobble([SubsonicPlay(id: id, time: 9_000_700)])
        try await bench.client.scrobble([SubsonicPlay(id: id, time: 9_500_000)])
        bench.start()
        try await bench.drained()
        let times = bench.server.scrobbles.filter(\.isSubmission).map(\.time)
        // Without a list, only the last play of each song is known.
        #expect(times == [9_000_700, 9_500_000] + (hasList ? [] : [9_000_700]) + [9_900_000])
        try await bench.stop()
    }

    @Test("a server that plays another song later, or never says when, gets the play as before")
    func uncertain() async throws {
        let bench = try await ScrobbleBench()
        let tries = Mutex(0)
        var server = PlayServer { _ in
            let attempt = tries.withLock { tries in
                tries += 1
                return tries
            }
            if attempt == 1 { throw SubsonicError(.timedOut, "late") }
        }
        server.lastPlay = { _ in .max }
        let scrobbler = Scrobbler(
            library: bench.library, server: server, settings: ScrobbleBench.settings,
            clock: bench.clock, logger: bench.lines.logger)
        try await bench.library.enqueuePlay(song: bench.songs[4], startedAt: -5)
        let running = Task { await scrobbler.run(events: AsyncStream { _ in }) }
        try await bench.drained()
        #expect(tries.withLock(\.self) == 2)
        running.cancel()
        await running.value
        try await bench.stop()
    }
}
